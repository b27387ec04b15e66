/// Damage to HDF5 files that leaves them valid HDF5 files: errors that a program, an editor or a script could make.
#pragma once

#include "fuzz/random.hpp"

#include <filesystem>

namespace brisance::fuzz {

/// A few random changes in place: datasets, groups and attributes taken out or made something else (another number of
/// rows or dimensions, another type, a size that no data stands for), values made 0, −1, huge or not a number.
void mutate_hdf5(Random& random, const std::filesystem::path& file);

}  // namespace brisance::fuzz
