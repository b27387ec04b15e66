#!/usr/bin/env bash
# A test's script with its scratch folder, which stays only where the test failed: all of them together write several
# gigabytes. usage: in_scratch.sh SCRIPT PROGRAM SOURCE_DIR SCRATCH_DIR
bash "$@"
code=$?
((code != 0 && code != 77)) || rm -rf "${4:?}"
exit $code
