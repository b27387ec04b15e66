/// Choice of the compiled copy of the element kernels at program start; all give the same bits.
#pragma once

#include <string>
#include <vector>

namespace brisance::dynamics {

/// Names of the instruction sets that the kernels are compiled for and this processor supports, the fastest first.
[[nodiscard]] std::vector<std::string> available_vector_units();

/// Name of the one in use: "avx512", "avx2", or a baseline's.
[[nodiscard]] std::string vector_units();

/// Selects the instruction set for the kernels. Ranks may choose different ones: results do not depend on it. Throws
/// core::Error that names the available ones, if there is no such. Not to be called while a kernel runs.
void use_vector_units(const std::string& name);

}  // namespace brisance::dynamics
