#!/bin/bash
# Bandwidth at 64 KiB and latency at 8 bytes of RDMA writes within a guest, by perftest: the lines with the figures.
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
measure ib_write_lat -s 8 -n 1000
measure ib_write_bw -s 65536 -n "${1:-200}"
