#!/bin/bash
# Bandwidth at 64 KiB and latency at 8 bytes of RDMA writes within a guest, by perftest: the lines with the figures. With
# an argument, transport ib beside it, and the ratios; then it fails below 0.9 of the bandwidth, or above twice the
# latency.
set -eu

# measure PROGRAM OPTION...: runs its two sides.
measure() {
    "$@" -d rxe0 -x 1 -F >/tmp/server &
    until netstat -ltn | grep -q :18515; do
        sleep 0.1
    done
    "$@" -d rxe0 -x 1 -F "$IP" | grep -A 1 '#bytes'
    wait
}
writes=${1:-200}
measure ib_write_lat -s 8 -n 1000 | tee /tmp/latency
measure ib_write_bw -s 65536 -n "$writes" | tee /tmp/bandwidth
[ $# -gt 0 ] || exit 0

# The VM of the guest compiles late otherwise.
java -XX:CompileThresholdScaling=0.3 --enable-native-access=ALL-UNNAMED -cp "/classes:/repo/mscclj-cli/target/lib/*" Writes 1000 "$writes" | tee /tmp/ours
# The typical latency is the fifth column of perftest, the average bandwidth the fourth.
awk '
    FILENAME == "/tmp/latency" && $1 == 8 { latency = $5 }
    FILENAME == "/tmp/bandwidth" && $1 == 65536 { bandwidth = $4 }
    /^transport ib:/ { ours = $7; rate = $11 }
    END {
        printf "transport ib and perftest: latency %.2f times, bandwidth %.2f times\n", ours / latency, rate / bandwidth
        exit !(ours <= 2 * latency && rate >= 0.9 * bandwidth)
    }' /tmp/latency /tmp/bandwidth /tmp/ours
