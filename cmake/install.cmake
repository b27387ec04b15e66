# What `cmake --install` and the packages hold. Nothing knows the prefix: the program finds the rest from where it is itself.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(share ${CMAKE_INSTALL_DATADIR}/brisance)

# First: run.sh builds only what a run needs, and what is missing is built before the first file is installed.
set(needed brisance brisance-tetgen brisance-assimp brisance-solids brisance_images brisance_impact brisance_runtime)
set(needed_files "$<TARGET_FILE:brisance>;$<TARGET_FILE:brisance-tetgen>;$<TARGET_FILE:brisance-assimp>;$<TARGET_FILE:brisance-solids>;$<TARGET_FILE:brisance_images>;$<TARGET_FILE:brisance_impact>")
if(BRISANCE_PAGES AND NOT BRISANCE_SANITIZE)
  list(APPEND needed help_pages)
  list(APPEND needed_files ${PROJECT_BINARY_DIR}/pages/completion/brisance)
endif()
add_custom_target(installed_programs DEPENDS ${needed})
install(CODE "set(build \"${PROJECT_BINARY_DIR}\")
set(target installed_programs)
set(files \"${needed_files}\")
include(\"${PROJECT_SOURCE_DIR}/cmake/build_missing.cmake\")")

install(TARGETS brisance RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# where core::find_program and core::find_module look
install(TARGETS brisance-tetgen brisance-assimp brisance-solids brisance_images RUNTIME DESTINATION libexec/brisance
  LIBRARY DESTINATION libexec/brisance)

# The C library, and find_package(brisance) with the targets brisance::impact and brisance::impact_static.
install(TARGETS brisance_impact brisance_runtime EXPORT brisance LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/brisance/runtime/impact.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/brisance/runtime)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/brisance)
install(EXPORT brisance NAMESPACE brisance:: FILE brisance-config.cmake DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/brisance-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/brisance-config-version.cmake DESTINATION ${package})

# Manual pages and completion, from the program's own help texts. Not by a program that sanitizers slow down.
if(BRISANCE_PAGES AND NOT BRISANCE_SANITIZE)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(pages ${PROJECT_BINARY_DIR}/pages)
  file(GLOB scenes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/*.toml)
  add_custom_command(OUTPUT ${pages}/completion/brisance
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/packaging/help_pages.py $<TARGET_FILE:brisance>
      --version ${PROJECT_VERSION} --scenes ${PROJECT_SOURCE_DIR}/configs --out ${pages}
    DEPENDS brisance ${PROJECT_SOURCE_DIR}/scripts/packaging/help_pages.py ${scenes}
    COMMENT "Manual pages from help texts" VERBATIM)
  add_custom_target(help_pages ALL DEPENDS ${pages}/completion/brisance)
  install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${pages}/completion/brisance DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()

# Scenes, scripts, pages.
install(DIRECTORY configs DESTINATION ${share})
install(DIRECTORY postprocess DESTINATION ${share} USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
install(PROGRAMS scripts/run.sh scripts/break.sh scripts/omega_sweep.sh scripts/submit.sh DESTINATION ${share}/scripts)
install(DIRECTORY scripts/slurm DESTINATION ${share}/scripts USE_SOURCE_PERMISSIONS)
install(FILES scripts/lib.sh DESTINATION ${share}/scripts)
install(FILES README.md CHANGELOG.md LICENSE LICENSE.MIT DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)

# On the PATH under names of their own.
foreach(script run.sh break.sh submit.sh to_mesh.py mode_shapes.py pieces.py animate.py film.py)
  string(REGEX REPLACE "\\.(sh|py)$" "" name brisance-${script})
  string(REPLACE _ - name ${name})
  set(folder postprocess)
  if(script MATCHES "sh$")
    set(folder scripts)
  endif()
  file(RELATIVE_PATH target /${CMAKE_INSTALL_BINDIR} /${share}/${folder}/${script})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/links)
  file(CREATE_LINK ${target} ${PROJECT_BINARY_DIR}/links/${name} SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/links/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()

# Environment modules (Lmod reads Tcl, too): MODULEPATH is PREFIX/share/brisance/modulefiles.
configure_file(scripts/packaging/modulefile.in ${PROJECT_BINARY_DIR}/modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${share}/modulefiles/brisance RENAME ${PROJECT_VERSION})

# cpack (scripts/package.sh): a Debian package, and a tree to unpack anywhere.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_VENDOR brisance)
set(CPACK_PACKAGE_CONTACT "brisance <brisance@localhost>")
set(CPACK_PACKAGE_FILE_NAME brisance-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What no library of the program asks for: mpirun; a BLAS that is not the slow reference; what scripts import.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "openmpi-bin, libopenblas0-pthread")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy, python3-h5py, libjs-three, libjs-chart.js")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-matplotlib, python3-vtk9, ffmpeg, paraview")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_prefix.cmake)
set(runs_on "Runs on any amd64.")
if(BRISANCE_ARCH)
  set(runs_on "Runs on ${BRISANCE_ARCH} and better.")
endif()
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Breaks meshes of tetrahedra: finite elements, fracture and contact on any number of
MPI ranks; fracture modes; pictures and snapshots for ParaView and Blender.
${runs_on}")
include(CPack)
