/// The program's version, set by CMake from the project's.
#pragma once

namespace brisance::app {

inline constexpr const char* kVersion = BRISANCE_VERSION;

}  // namespace brisance::app
