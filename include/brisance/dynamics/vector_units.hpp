/// Which of the compiled copies of the element kernels runs: chosen when the program starts, the same bits whichever.
#pragma once

#include <string>
#include <vector>

namespace brisance::dynamics {

/// Names of the instruction sets that the kernels are compiled for and this processor has, the fastest first.
[[nodiscard]] std::vector<std::string> available_vector_units();

/// Name of the one in use: "avx512", "avx2", or a baseline's.
[[nodiscard]] std::string vector_units();

/// From now on kernels run on this one. Every rank may choose its own: results do not depend on it. Throws core::Error
/// naming what there is, if there is no such. Not while a kernel runs.
void use_vector_units(const std::string& name);

}  // namespace brisance::dynamics
