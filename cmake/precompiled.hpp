/// Headers that half of the units include and none of them changes: parsed once. Not a shortcut for includes: every
/// file still includes what it uses, and builds without this one (BRISANCE_PRECOMPILED=OFF).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <Eigen/Dense>
#include <mpi.h>
#include <spdlog/fmt/fmt.h>
