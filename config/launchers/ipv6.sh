#!/usr/bin/env bash
# Ranks on a machine whose loopback device, and whose network, have IPv6 alone.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

printf '%s\n' '::1 localhost ip6-localhost' >"$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts
ip link set lo up
ip address del 127.0.0.1/8 dev lo
if ! ip -6 address show dev lo | grep -q ::1; then
    skip "no IPv6 in this kernel"
    exit 0
fi
run=(run "$plans/allgather_2ranks.json" --count 1000 --iterations 1)
apart=(run "$plans/sendrecv_port_2ranks.json" --count 1000 --iterations 1)

expect "IPv6 alone, run --procs" '2 ranks, 2 on each node' "$MSCCLJ" "${run[@]}" --procs
expect "IPv6 alone, run --procs as if on two nodes" '2 ranks, 1 on each node' "$MSCCLJ" "${apart[@]}" --procs --ranks-per-node 1
expect "IPv6 alone, launch" '2 ranks, 2 on each node' "$MSCCLJ" launch --ranks 2 -- "$MSCCLJ" "${run[@]}"

# both ADDRESS PORT: two ranks that are told it
cat >"$folder/both" <<END
#!/bin/sh
export MSCCLJ_WORLD_SIZE=2 MSCCLJ_MASTER_ADDR=\$1 MSCCLJ_MASTER_PORT=\$2 MSCCLJ_SECRET=of-this-test-0123456789abcdef
MSCCLJ_RANK=1 $MSCCLJ ${run[*]} &
MSCCLJ_RANK=0 $MSCCLJ ${run[*]} && wait \$!
END
chmod +x "$folder/both"
expect "IPv6 alone, MSCCLJ_MASTER_ADDR=::1" '2 ranks, 2 on each node' "$folder/both" ::1 7000
expect "IPv6 alone, a name of the loopback" '2 ranks, 2 on each node' "$folder/both" localhost 7001

if ip link add one type veth peer name two 2>/dev/null; then
    ip address add fe80::1/64 dev one nodad
    ip address add fe80::2/64 dev two nodad
    ip link set one up
    ip link set two up
    expect "IPv6 alone, an address with a zone" '2 ranks, 2 on each node' "$folder/both" 'fe80::1%one' 7002
else
    skip "no address with a zone, since this kernel makes no veth devices"
fi
