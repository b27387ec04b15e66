# One static library a module: brisance_module(NAME DEPENDS lower modules LINK libraries).
add_library(brisance_options INTERFACE)
target_include_directories(brisance_options INTERFACE ${PROJECT_SOURCE_DIR}/include)
# -ffp-contract=off: an element must give the same bits wherever the compiler meets it (loop body or remainder, this
# file or that), so fused multiply-adds are written out in the kernels and nowhere left to the optimiser.
target_compile_options(brisance_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -ffp-contract=off
  $<$<BOOL:${BRISANCE_WERROR}>:-Werror> $<$<BOOL:${BRISANCE_ARCH}>:-march=${BRISANCE_ARCH}>
  $<$<CONFIG:Release>:-O3>)
# GCC 12 warns about deliberately undefined operands inside its own AVX-512 intrinsics (GCC bug 105593).
target_compile_options(brisance_options INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-maybe-uninitialized>)
# OpenMPI's C++ bindings are long deprecated; Eigen must not assume alignment its callers cannot promise.
target_compile_definitions(brisance_options INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_link_libraries(brisance_options INTERFACE MPI::MPI_CXX Eigen3::Eigen)
if(BRISANCE_SANITIZE)
  target_compile_options(brisance_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(brisance_options INTERFACE -fsanitize=address,undefined)
endif()

# Units of one flag set share one precompiled header; CMake checks the flags.
add_library(brisance_precompiled OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
target_link_libraries(brisance_precompiled PUBLIC brisance_options spdlog::spdlog)
if(BRISANCE_PRECOMPILED)
  target_precompile_headers(brisance_precompiled PRIVATE ${PROJECT_SOURCE_DIR}/cmake/precompiled.hpp)
endif()
function(brisance_precompile target)
  if(BRISANCE_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM brisance_precompiled)
  endif()
endfunction()

function(brisance_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  list(TRANSFORM arg_DEPENDS PREPEND brisance_)
  if(sources)
    add_library(brisance_${name} STATIC ${sources})
    target_include_directories(brisance_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(brisance_${name} PUBLIC brisance_options ${arg_DEPENDS} ${arg_LINK})
    brisance_precompile(brisance_${name})
  else()
    add_library(brisance_${name} INTERFACE)
    target_link_libraries(brisance_${name} INTERFACE brisance_options ${arg_DEPENDS} ${arg_LINK})
  endif()
endfunction()
