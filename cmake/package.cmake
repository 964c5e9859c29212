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
  # cpack writes entries in the order in which the file system lists them, and the current time into gzip files.
  set(folder ${CPACK_TEMPORARY_DIRECTORY}/sorted)
  foreach(package IN LISTS CPACK_PACKAGE_FILES)
    file(REMOVE_RECURSE ${folder})
    if(package MATCHES "/([^/]+)\\.tar\\.gz$")
      set(name ${CMAKE_MATCH_1})
      file(ARCHIVE_EXTRACT INPUT ${package} DESTINATION ${folder})
      execute_process(
        COMMAND tar --create --sort=name --format=gnu --owner=0 --group=0 --numeric-owner
          --mtime=@$ENV{SOURCE_DATE_EPOCH} --directory=${folder} ${name}
        COMMAND gzip --no-name --best
        OUTPUT_FILE ${package}
        COMMAND_ERROR_IS_FATAL ANY)
    elseif(package MATCHES "\\.deb$")
      # dpkg-deb sorts files, but not the lines of md5sums. More threads would divide the data in another way. The size
      # is in KiB, each file rounded up, as dpkg-gencontrol counts it; cpack counts blocks of the file system.
      execute_process(COMMAND dpkg-deb --raw-extract ${package} ${folder} COMMAND_ERROR_IS_FATAL ANY)
      file(STRINGS ${folder}/DEBIAN/md5sums sums)
      list(SORT sums)
      list(JOIN sums "\n" sums)
      file(WRITE ${folder}/DEBIAN/md5sums "${sums}\n")
      file(GLOB_RECURSE entries LIST_DIRECTORIES true ${folder}/usr/*)
      set(size 0)
      foreach(entry IN LISTS entries)
        if(IS_DIRECTORY ${entry} OR IS_SYMLINK ${entry})
          set(bytes 1)
        else()
          file(SIZE ${entry} bytes)
        endif()
        math(EXPR size "${size} + (${bytes} + 1023) / 1024")
      endforeach()
      file(READ ${folder}/DEBIAN/control control)
      # On some runs only, dpkg-shlibdeps finds libLLVM's package, which CMakeLists.txt names.
      string(REGEX MATCH "\nDepends: ([^\n]*)" found "${control}")
      string(REPLACE ", " ";" depends "${CMAKE_MATCH_1}")
      list(SORT depends)
      list(REMOVE_DUPLICATES depends)
      list(JOIN depends ", " depends)
      string(REPLACE "${found}" "\nDepends: ${depends}" control "${control}")
      string(REGEX REPLACE "Installed-Size: [0-9]+" "Installed-Size: ${size}" control "${control}")
      file(WRITE ${folder}/DEBIAN/control "${control}")
      execute_process(COMMAND find ${folder} -exec touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} {} +
        COMMAND_ERROR_IS_FATAL ANY)
      execute_process(
        COMMAND dpkg-deb -Zxz --threads-max=1 --root-owner-group --build ${folder} ${package}
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
  file(REMOVE_RECURSE ${folder})
elseif(CPACK_TEMPORARY_INSTALL_DIRECTORY AND CPACK_GENERATOR STREQUAL "DEB")
  # Debian's zsh does not read the folder of other systems.
  set(zsh ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share/zsh)
  if(EXISTS ${zsh}/site-functions)
    file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
  endif()
endif()
