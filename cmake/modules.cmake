# One static library a module: brisance_module(NAME [PLAIN] DEPENDS lower modules LINK libraries [EXCEPT files] [APART files]).
add_library(brisance_options INTERFACE)
target_include_directories(brisance_options INTERFACE ${PROJECT_SOURCE_DIR}/include)
# -ffp-contract=off: an element must give the same bits wherever the compiler meets it (loop body or remainder, this
# file or that), so fused multiply-adds are written out in the kernels and nowhere left to the optimiser.
# Sources compiled together are for those who only run: there no warning is an error.
target_compile_options(brisance_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -ffp-contract=off
  $<$<AND:$<BOOL:${BRISANCE_WERROR}>,$<VERSION_LESS:${BRISANCE_BATCH},2>>:-Werror> $<$<BOOL:${BRISANCE_ARCH}>:-march=${BRISANCE_ARCH}>)
# GCC 12 warns about deliberately undefined operands inside its own AVX-512 intrinsics (GCC bug 105593).
target_compile_options(brisance_options INTERFACE
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-maybe-uninitialized>)
# OpenMPI's C++ bindings are long deprecated; Eigen must not assume alignment its callers cannot promise.
target_compile_definitions(brisance_options INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_link_libraries(brisance_options INTERFACE MPI::MPI_CXX Eigen3::Eigen)
if(BRISANCE_SANITIZE)
  target_compile_options(brisance_options INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(brisance_options INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(brisance_options INTERFACE BRISANCE_SANITIZE)
endif()

# brisance_precompiled_header(NAME HEADER LEVEL [LINK libraries] [OPTIONS flags]): a header parsed once, and the units' optimisation level.
# One for each set of flags: GCC takes the optimisation flags of a unit, -frounding-math among them, from the header
# that was precompiled and drops the unit's own without a word.
function(brisance_precompiled_header name header level)
  cmake_parse_arguments(arg "" "" "LINK;OPTIONS" ${ARGN})
  add_library(brisance_precompiled_${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(brisance_precompiled_${name} PUBLIC brisance_options spdlog::spdlog ${arg_LINK})
  target_compile_options(brisance_precompiled_${name} PRIVATE $<$<CONFIG:Release>:${level}> ${arg_OPTIONS})
  set_property(TARGET brisance_precompiled_${name} PROPERTY BRISANCE_LEVEL ${level})
  if(BRISANCE_PRECOMPILED)
    target_precompile_headers(brisance_precompiled_${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header})
  endif()
endfunction()

# Loops over elements and pixels at -O3; what runs once, parses or prints at -O1, which compiles in three quarters of the
# time. The level changes no bit of a result: no product and sum are contracted, no sum is reordered.
brisance_precompiled_header(fast precompiled.hpp -O3)
brisance_precompiled_header(plain precompiled.hpp -O1)

# brisance_precompile(TARGET fast|plain|...): its level, and the header.
function(brisance_precompile target name)
  get_property(level TARGET brisance_precompiled_${name} PROPERTY BRISANCE_LEVEL)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  if(BRISANCE_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM brisance_precompiled_${name})
  endif()
endfunction()

# PLAIN: optimised for compile time. EXCEPT: of another target. APART: compiled by themselves where BRISANCE_BATCH has the
# others compiled together, because a name of their unnamed namespace is that of another source, or because they include
# themselves once for each vector unit.
function(brisance_module name)
  cmake_parse_arguments(arg "PLAIN" "" "DEPENDS;LINK;EXCEPT;APART" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  foreach(file ${arg_EXCEPT})
    list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/src/${name}/${file})
  endforeach()
  list(TRANSFORM arg_DEPENDS PREPEND brisance_)
  if(sources)
    add_library(brisance_${name} STATIC ${sources})
    target_include_directories(brisance_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(brisance_${name} PUBLIC brisance_options ${arg_DEPENDS} ${arg_LINK})
    if(arg_PLAIN)
      brisance_precompile(brisance_${name} plain)
    else()
      brisance_precompile(brisance_${name} fast)
    endif()
    if(BRISANCE_BATCH GREATER 1)
      set_target_properties(brisance_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${BRISANCE_BATCH})
      list(TRANSFORM arg_APART PREPEND ${PROJECT_SOURCE_DIR}/src/${name}/)
      set_source_files_properties(${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  else()
    add_library(brisance_${name} INTERFACE)
    target_link_libraries(brisance_${name} INTERFACE brisance_options ${arg_DEPENDS} ${arg_LINK})
  endif()
endfunction()
