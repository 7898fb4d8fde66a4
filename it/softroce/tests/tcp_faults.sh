#!/bin/bash
# Two ranks on two guests: a minute of delay and loss, a cut of 60 s, a shorter one that keep-alives detect, and the
# power loss of node 1. There is no transport ib: data travels by TCP, or not at all. Both nodes run this.
set -eu
lib=/tmp/lib
mkdir "$lib"
ln -s /repo/mscclj-cli/target/lib/*.jar "$lib"
rm "$lib"/mscclj-transport-ib-*.jar

fail() {
    echo "tcp test failed: $*"
    net show
    exit 1
}
# faults ARGUMENT...: a rank of TcpFaults, in a group of its own.
port=29500
faults() {
    port=$((port + 1))
    MASTER_PORT=$port ranks 1 java -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -Dmscclj.host.vector=false \
        -cp "/classes:$lib/*" TcpFaults "$@" || fail "the part '$*' has ended with $?"
}
# The time of a message and its answer, in whole milliseconds: the shortest of 20; 0 if none has come back.
round_trip() {
    local time
    time=$(ping -c 20 -i 0.2 -W 2 "$PEER" | sed -n 's/.*min.* = \([0-9]*\).*/\1/p')
    echo "${time:-0}"
}
# How many packets netem has dropped on this node.
dropped() {
    tc -s qdisc show dev "$DEV" | sed -n '/netem/,$s/.*(dropped \([0-9]*\),.*/\1/p'
}
# How many segments TCP has sent again on this node: the line of names comes first.
again() {
    awk '/^Tcp:/ { segments = $13 } END { print segments }' /proc/net/snmp
}

before=$(again)
net delay 20ms loss 1%
slow=0
for ((tries = 0; tries < 10 && slow < 40; tries++)); do # the other node may not be as far
    slow=$(round_trip)
done
[ "$slow" -ge 40 ] || fail "with 20 ms of delay on both nodes, a message and its answer take $slow ms"
faults loss 60 40
lost=$(dropped)
repeated=$(($(again) - before))
[ "${lost:-0}" -gt 0 ] || fail "node $NODE has dropped no packet"
[ "$repeated" -gt 0 ] || fail "TCP has sent nothing again on node $NODE"
net heal
echo "loss: a round trip takes $slow ms; node $NODE drops $lost packets, and TCP sends $repeated segments again"

# With this limit, ranks are not lost during the cut.
export MSCCLJ_KEEPALIVE_SECONDS=300
faults cut 60 10

export MSCCLJ_KEEPALIVE_SECONDS=10
faults silence 30
faults power
[ "$NODE" = 0 ] || fail "node 1 has not lost power"
echo "tcp test passed"
