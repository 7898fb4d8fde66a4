#!/usr/bin/env bash
# Runs the tests of a module in guests. They must be compiled, and mscclj-cli must be built: it brings the libraries.
#
#   junit.sh MODULE [OPTION...] [-- ARGUMENT...]
#
# The options are those of run.sh; with -o FOLDER, reports in XML come to FOLDER/node0 and FOLDER/node1. The arguments
# are those of JUnit's console launcher: --include-classname '.*QueuePairsTest'.
#
#   MSCCLJ_JAVA_OPTS   more options for the VM in the guest, separated by spaces
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/lib/common.sh"
. "$here/lib/junit.sh"
module=${1:?the first argument is a module, as transport-tcp}
shift
[ -d "$root/$module/target/test-classes" ] || fail 2 "$module has no compiled tests: mvn -B test-compile -pl $module -am"
[ -d "$root/mscclj-cli/target/lib" ] || fail 2 "mscclj-cli is not built, and its libraries are those of tests: ./mscclj --version"
find_junit
options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
done
[ $# -eq 0 ] || shift
exec "$here/run.sh" -j -m 2048 -s "$root:/repo" -s "$junit:/junit" ${options[@]+"${options[@]}"} \
    -- env "MSCCLJ_JAVA_OPTS=${MSCCLJ_JAVA_OPTS:-}" junit "$module" "$@"
