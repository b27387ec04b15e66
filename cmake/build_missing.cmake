# Of an installation: builds what it needs and is not there. Takes `files`, `build` (the build folder) and the `target` that
# makes all of them; ends the installation where that fails.
set(missing "")
foreach(file IN LISTS files)
  if(NOT EXISTS "${file}")
    get_filename_component(name "${file}" NAME)
    list(APPEND missing ${name})
  endif()
endforeach()
if(missing)
  list(JOIN missing ", " missing)
  message(STATUS "Not built yet, so built now: ${missing}")
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} --target ${target} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${missing}: not built, and building failed, see above. Nothing was installed. Build with "
      "`cmake --build ${build}`, then install again.")
  endif()
endif()
