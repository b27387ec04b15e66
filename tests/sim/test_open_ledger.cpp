// When implicit steps have gained energy without a source.
#include "sim/output/open_ledger.hpp"

#include <gtest/gtest.h>

namespace brisance::sim {
namespace {

Energies at_start() {
  Energies e;
  e.kinetic = 3;
  e.gravity = 5;
  return e;
}

TEST(OpenLedger, WhatOneIterationLeavesOfTheEquationsIsNoGain) {
  Energies e = at_start();
  e.supplied = 10;
  e.elastic = 9;  // of 10
  e.numerical_loss = 0.5;
  EXPECT_EQ(gain_beyond_what_was_given(e, at_start().total(), 0), 0);
}

TEST(OpenLedger, MoreThanAllThatWasGivenIs) {
  Energies e = at_start();
  e.supplied = 10;
  e.elastic = 60;  // 50 too much, of 8 + 10 + 5 that were given or are weight
  EXPECT_NEAR(gain_beyond_what_was_given(e, at_start().total(), 0), 27, 1e-12);
  EXPECT_EQ(gain_beyond_what_was_given(e, at_start().total(), 30), 0);
}

TEST(OpenLedger, RoundingInABodyAtRestIsNoGain) {
  Energies e;
  e.elastic = 1e-20;
  EXPECT_EQ(gain_beyond_what_was_given(e, 0, 1e-12), 0);
}

}  // namespace
}  // namespace brisance::sim
