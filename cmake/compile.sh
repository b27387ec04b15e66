#!/bin/sh
# compile.sh SOURCE_DIR COMPILER ARGUMENT ...: the compiler, through ccache, so that another checkout of the same text finds
# what one has compiled: paths count from SOURCE_DIR, and a precompiled header, of which no two are alike to the byte,
# counts by the text it was made of.
export CCACHE_BASEDIR="$1" CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
# A unit with a precompiled header is looked up only where __TIME__ and macros defined before it may be ignored.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
shift
ccache "$@" || exit

output='' last=''
for argument; do
  [ "$last" != -o ] || output=$argument
  last=$argument
done
case $output in *.gch) ;; *) exit 0 ;; esac
# The same command, but to the preprocessed text, and without naming files to write.
last=''
for argument; do
  shift
  case $argument in
    -o | -MD | -MT | -MF | -c) ;;
    *) case $last in -o | -MT | -MF) ;; *) set -- "$@" "$argument" ;; esac ;;
  esac
  last=$argument
done
"$@" -E -P | sha256sum >"$output.sum"
