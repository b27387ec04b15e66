/// The table of failure criteria.
#include "brisance/core/error.hpp"
#include "brisance/fracture/criteria/criterion.hpp"

#include <set>

#include <gmock/gmock.h>

namespace brisance::fracture {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Criterion, EveryKindIsMadeByItsName) {
  std::set<std::string> names, quantities;
  for (const CriterionKind* kind : criterion_kinds()) {
    const std::unique_ptr<Criterion> criterion = make_criterion({.criterion = kind->name});
    EXPECT_EQ(&criterion_kind(kind->name), kind);
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    EXPECT_TRUE(quantities.insert(criterion->traits().quantity).second) << kind->name;
  }
  EXPECT_TRUE(names.contains(Parameters().criterion));
}

TEST(Criterion, UnknownNameIsRefusedWithTheKnownOnes) {
  EXPECT_THAT([] { (void)make_criterion({.criterion = "tresca"}); },
              ThrowsMessage<core::Error>(AllOf(HasSubstr("\"tresca\""), HasSubstr("separation, principal_stress"))));
}

}  // namespace
}  // namespace brisance::fracture
