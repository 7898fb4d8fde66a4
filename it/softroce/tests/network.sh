#!/bin/bash
# What the bed does to the network and to guests has an effect, and ends. Node 0 checks it by its messages to node 1.
set -eu
if [ "$NODE" = 1 ]; then
    ibv_rc_pingpong -d rxe0 -g 1 -n 50 -s 4096 -e
    exec on serve # until node 0 kills this guest
fi

reached() {
    ping -c 1 -W 1 "$PEER" >/dev/null 2>&1
}
# The time of a message and its answer, in whole milliseconds.
round_trip() {
    ping -c 1 -W 20 "$PEER" | sed -n 's/.*time=\([0-9]*\).*/\1/p'
}
fail() {
    echo "network test failed: $*"
    net show
    exit 1
}

until reached; do :; done
net delay 300ms
slow=$(round_trip)
[ "$slow" -ge 300 ] || fail "a message took $slow ms with a delay of 300 ms"
echo "with a delay of 300 ms, a message and its answer take $slow ms"

net delay 2ms 1ms loss 2% reorder 25% 50%
until ibv_rc_pingpong -d rxe0 -g 1 -n 50 -s 4096 -e "$PEER"; do
    sleep 0.5
done
net heal

# "on" brings each line and its answer at once.
coproc ON { on 1 bash -c 'while read -r line; do echo "answer to $line"; done'; }
for line in one two three; do
    echo "$line" >&"${ON[1]}"
    read -r -t 60 answer <&"${ON[0]}" || fail "no answer to $line came from a command on node 1"
    [ "$answer" = "answer to $line" ] || fail "the answer to $line is '$answer'"
done
echo "a command on node 1 answers"

net cut 4
! reached || fail "a message passed a cut"
until reached; do :; done
echo "the cut is over"

net down
[ "$(cat /sys/class/infiniband/rxe0/ports/1/state)" = "1: DOWN" ] || fail "the port of rxe0 is not down"
net heal
until reached; do :; done
[ "$(cat /sys/class/infiniband/rxe0/ports/1/state)" = "4: ACTIVE" ] || fail "the port of rxe0 is not up again"
echo "the link is up again"

bed stop 1
while reached; do :; done
bed cont 1
until reached; do :; done
echo "node 1 runs again"

bed kill 1
while reached; do :; done
echo "network test passed"
