#!/bin/bash
# Devices, and messages of 4 KiB there and back: within a guest, or between two.
set -e
talk() {
    ibv_rc_pingpong -d rxe0 -g 1 -n 1000 -s 4096 -e "$@"
}
if [ "$NODES" = 1 ]; then
    ibv_devinfo -d rxe0
    talk >/tmp/server &
    sleep 0.5
    talk "$IP"
    wait
elif [ "$NODE" = 0 ]; then
    ibv_devinfo -d rxe0
    talk
else
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        ! talk "$PEER" || exit 0
        sleep 0.5
    done
    exit 1
fi
