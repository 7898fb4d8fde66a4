#!/usr/bin/env bash
# Ranks under real launchers (Open MPI, MPICH, Slurm), on two nodes that are network namespaces of this machine, and where there is no IPv4. What cannot
# be tried here is told in a line that begins with "launchers test: skipped". Nothing is left behind: all of it runs in namespaces of its own.
#
# Parts: ipv6, nodes; all if none is named.
#
#   MSCCLJ   the command to try; default: that of this checkout
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
here=$root/config/launchers

skip() {
    echo "launchers test: skipped, $*"
}

if [ "$(uname -s)" != Linux ]; then
    skip "namespaces are tried on Linux only"
    exit 0
fi
if ! command -v ip >/dev/null || ! command -v unshare >/dev/null; then
    skip "nothing is tried without ip (package iproute2) and unshare (package util-linux)"
    exit 0
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    as_root=(sudo -n -E)
fi
namespaces=(unshare --mount --uts --ipc --net --pid --fork --kill-child --mount-proc)
if ! "${as_root[@]}" "${namespaces[@]}" true 2>/dev/null; then
    skip "nothing is tried where namespaces cannot be made: it needs root, or sudo without a password"
    exit 0
fi

folder=$(mktemp -d)
trap '"${as_root[@]}" rm -rf "$folder"' EXIT
export MSCCLJ=${MSCCLJ:-$root/mscclj}
"$MSCCLJ" --version >/dev/null # builds it, where that is needed
[ $# -gt 0 ] || set -- ipv6 nodes
for part in "$@"; do
    mkdir "$folder/$part"
    "${as_root[@]}" "${namespaces[@]}" "$here/$part.sh" "$folder/$part"
done
