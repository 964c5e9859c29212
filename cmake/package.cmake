# What cpack does before and after it makes packages, so that packages of one build have the same bytes each time.
# cpack includes this file three times: first for its settings, then before, and after it makes the packages.

# The time of all files in packages is that of the commit: from git, or from an archive that git has made.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${CPACK_LOOPWRIGHT_SOURCE}
    OUTPUT_VARIABLE epoch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT epoch)
    file(READ ${CPACK_LOOPWRIGHT_SOURCE}/tools/git_archive.txt archived)
    string(REGEX MATCH "^[0-9a-f]+ ([0-9]+)" epoch "${archived}")
    set(epoch ${CMAKE_MATCH_1})
  endif()
  if(NOT epoch)
    message(FATAL_ERROR "The time of the commit is unknown: set the environment variable SOURCE_DATE_EPOCH")
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${epoch})
endif()

if(CPACK_PACKAGE_FILES)
  # cpack writes the current time into gzip files, and the entries in the order of the folder.
  foreach(package IN LISTS CPACK_PACKAGE_FILES)
    if(package MATCHES "/([^/]+)\\.tar\\.gz$")
      set(name ${CMAKE_MATCH_1})
      set(folder ${CPACK_TEMPORARY_DIRECTORY}/sorted)
      file(REMOVE_RECURSE ${folder})
      file(ARCHIVE_EXTRACT INPUT ${package} DESTINATION ${folder})
      execute_process(
        COMMAND tar --create --sort=name --format=gnu --owner=0 --group=0 --numeric-owner
          --mtime=@$ENV{SOURCE_DATE_EPOCH} --directory=${folder} ${name}
        COMMAND gzip --no-name --best
        OUTPUT_FILE ${package}
        COMMAND_ERROR_IS_FATAL ANY)
      file(REMOVE_RECURSE ${folder})
    endif()
  endforeach()
elseif(CPACK_TEMPORARY_INSTALL_DIRECTORY AND CPACK_GENERATOR STREQUAL "DEB")
  # Debian's zsh does not read the folder of other systems.
  set(zsh ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/zsh)
  if(EXISTS ${zsh}/site-functions)
    file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
  endif()
endif()
