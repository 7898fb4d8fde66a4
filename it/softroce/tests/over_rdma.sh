#!/bin/bash
# over_rdma.sh ARGUMENT...: "mscclj ARGUMENT..." without transport tcp, so that data between nodes travels by rxe0, or
# not at all. With two guests, node 0 runs the command, and starts ranks on node 1 by "on". Fails if rxe0 has sent
# nothing.
set -eu
lib=/tmp/lib
mkdir "$lib"
ln -s /repo/mscclj-cli/target/lib/*.jar "$lib"
rm "$lib"/mscclj-transport-tcp-*.jar
if [ "$NODE" = 1 ]; then
    exec on serve # until node 0 kills this guest
fi

sent() {
    cat /sys/class/infiniband/rxe0/ports/1/hw_counters/sent_pkts
}
before=$(sent)
status=0
# The VM of a guest compiles no vectors.
MSCCLJ_JAVA_OPTS="-Dmscclj.host.vector=false ${MSCCLJ_JAVA_OPTS:-}" \
    /repo/config/dist/lib/start /jdk "$(echo /repo/mscclj-cli/target/mscclj-cli-*.jar):$lib" "$@" || status=$?
packets=$(($(sent) - before))
[ "$NODES" = 1 ] || bed kill 1
echo "rxe0 has sent $packets packets"
[ "$packets" -gt 0 ] || {
    echo "data between nodes has not travelled by rxe0"
    exit 1
}
exit "$status"
