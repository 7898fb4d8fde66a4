#!/bin/bash
# over_rdma.sh ARGUMENT...: "mscclj ARGUMENT..." without transport tcp, so that data between nodes travels by rxe0, or
# not at all. With two guests, node 0 runs the command, and starts ranks on node 1 by "on". Fails if rxe0 has sent
# nothing.
set -eu
. /repo/it/softroce/tests/class_path.sh
class_path_over_rdma /repo /tmp/lib
# The archives of lib/rehearsal.sh.
archive=
if [ -e /classes/ranks.aot ]; then
    archive=-XX:AOTCache=/classes/suite.aot
    export JAVA_TOOL_OPTIONS=-XX:AOTCache=/classes/ranks.aot
fi
if [ "$NODE" = 1 ]; then
    exec on serve # until node 0 kills this guest
fi

sent() {
    cat /sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts
}
before=$(sent)
status=0
# shellcheck disable=SC2086 # the options are separated by spaces
/jdk/bin/java $archive ${MSCCLJ_JAVA_OPTS:-} "${java_over_rdma[@]}" -cp "$class_path" org.mscclj.cli.Main "$@" || status=$?
packets=$(($(sent) - before))
[ "$NODES" = 1 ] || bed kill 1
echo "rxe0 has sent $packets packets"
[ "$packets" -gt 0 ] || {
    echo "data between nodes has not travelled by rxe0"
    exit 1
}
exit "$status"
