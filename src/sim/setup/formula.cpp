#include "brisance/sim/setup/formula.hpp"

#include "brisance/core/error.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <muParser.h>

namespace brisance::sim {

struct Formula::Parser {
  std::array<double, 3> at{};
  mu::Parser parser;
};

namespace {

[[noreturn]] void refuse(const std::string& text, const mu::ParserError& e) {
  throw core::Error(
      fmt::format("the formula \"{}\" is not understood: {} (character {} of it). It may hold x, y and z "
                  "in metres, numbers, + - * / ^, comparisons, a ? b : c and functions such as exp.",
                  text, e.GetMsg(), e.GetPos() + 1));
}

}  // namespace

Formula::Formula(std::string text) : text_(std::move(text)), parser_(std::make_unique<Parser>()) {
  try {
    mu::Parser& parser = parser_->parser;
    parser.DefineVar("x", &parser_->at[0]);
    parser.DefineVar("y", &parser_->at[1]);
    parser.DefineVar("z", &parser_->at[2]);
    parser.SetExpr(text_);
    int num_results = 0;
    parser.Eval(num_results);
    if (num_results == 1) return;
  } catch (const mu::ParserError& e) {
    refuse(text_, e);
  }
  throw core::Error(fmt::format("the formula \"{}\" holds several, apart by commas; give one.", text_));
}

Formula::~Formula() = default;

double Formula::operator()(const Vec3& at) const {
  parser_->at = {at.x(), at.y(), at.z()};
  double value = 0;
  try {
    value = parser_->parser.Eval();
  } catch (const mu::ParserError& e) {
    refuse(text_, e);
  }
  if (!std::isfinite(value))
    throw core::Error(
        fmt::format("the formula \"{}\" is {} at x = {:.9g}, y = {:.9g}, z = {:.9g} m, where a tet has its middle. "
                    "Write it so that it is finite everywhere in the object.",
                    text_, value, at.x(), at.y(), at.z()));
  return value;
}

}  // namespace brisance::sim
