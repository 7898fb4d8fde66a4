#!/usr/bin/env bash
# Runs a command in one or two guests that have soft-RoCE: InfiniBand verbs without an InfiniBand card. README.md beside
# this file is the manual.
#
#   run.sh [OPTION...] [-- COMMAND [ARGUMENT...]]      without a command: a self test
#
#     -n N           guests, 1 or 2; both run the command                                          (1)
#     -c N           virtual CPUs of a guest                                                       (1)
#     -m MB          memory of a guest                                                             (1024)
#     -j             with a JDK 25, at /jdk
#     -s HOST:GUEST  share a folder, read-only; may be repeated
#     -o FOLDER      shared as /report, and can be written; output and kernel log of each guest end there, too
#     -e FILE        events: what happens to the guests from outside
#     -t SECONDS     what the guests may take, from power-on                                       (300)
#     -v             say what takes how long
#
# Ends with the first status of a guest that is not 0; 124: the time was over; 125: a guest ended without a status;
# 69: the bed cannot work on this machine, and it says why.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
nodes=1 cpus=1 memory=1024 limit=300 java='' report='' events='' verbose=''
shares=()
usage() {
    sed -n '2,/^set /s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
while getopts n:c:m:js:o:e:t:v option; do
    case $option in
        n) nodes=$OPTARG ;;
        c) cpus=$OPTARG ;;
        m) memory=$OPTARG ;;
        j) java=yes ;;
        s) shares+=("$OPTARG:ro") ;;
        o) report=$OPTARG ;;
        e) events=$OPTARG ;;
        t) limit=$OPTARG ;;
        v) verbose=yes ;;
        *) usage ;;
    esac
done
shift $((OPTIND - 1))
[[ "$nodes" =~ ^[12]$ && "$cpus$memory$limit" =~ ^[0-9]+$ ]] || usage
. "$here/lib/common.sh"
. "$here/lib/packages.sh"
. "$here/lib/image.sh"
. "$here/lib/jdk.sh"
. "$here/lib/events.sh"
[ -z "$events" ] || [ -r "$events" ] || fail 2 "the file of events '$events' cannot be read"

check_machine
install_qemu
packages=packages-$(key "$here/lib/packages.sh")
kernel=kernel-$(key "$here"/lib/{packages,image}.sh)
image=image-$(key "$here"/lib/{packages,image}.sh)
made "$packages" download_packages
made "$kernel" unpack_kernel
made "$image" make_root
parts=("$cache/$image/root.cpio")
if [ -n "$java" ]; then
    guest_jdk
    parts+=("$cache/$guest_jdk/jdk.cpio")
fi

# A folder for this run. Those of runs that were killed are removed.
mkdir -p "$cache/runs"
for run in "$cache"/runs/*; do
    [ ! -d "$run" ] || kill -0 "${run##*/}" 2>/dev/null || rm -rf "$run"
done
run=$cache/runs/$$
guests=()
# shellcheck disable=SC2317 # the trap calls it
clean() {
    local process
    for process in ${guests[@]+"${guests[@]}"}; do
        kill -KILL "$process" 2>/dev/null || true
    done
    for process in $(jobs -p); do
        kill -- "-$process" 2>/dev/null || kill "$process" 2>/dev/null || true
    done
    wait
    rm -rf "$run"
}

# beside COMMAND...: runs it in the background. It ends with this script, and so do the processes that it starts.
beside() {
    set -m # a process group of its own
    "$@" &
    set +m
}

# pause_shortly: no "sleep", since a signal that arrives while a shell starts a program may be lost.
pause_shortly() {
    read -r -t 0.05 -u "$never" || true
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir -p "$run/job/bed" "$run/job/usr/bin"
mkfifo "$run/never"
exec {never}<>"$run/never"

# What is new in each run: the command and the programs of the guest.
if [ $# -eq 0 ]; then
    set -- bash -c "$(cat "$here/tests/messages.sh")"
fi
printf '%q ' "$@" >"$run/job/bed/command"
cp "$here/guest/init" "$run/job/init"
cp "$here"/guest/{bed,junit,mscclj,net,on,ranks} "$run/job/usr/bin"
if [ -n "$report" ]; then
    mkdir -p "$report"
    shares+=("$report:/report:")
fi
devices=()
tags=
for share in ${shares[@]+"${shares[@]}"}; do
    IFS=: read -r folder place access <<<"$share"
    [[ -d "$folder" && "$place" == /* ]] ||
        fail 2 "-s wants FOLDER:/PLACE-IN-GUEST, with a folder that exists, and was given '$folder:$place'"
    tag=share$((${#devices[@]} / 2))
    devices+=(-virtfs "local,path=$folder,mount_tag=$tag,security_model=none,multidevs=remap${access:+,readonly=on}")
    tags+=" $tag:$place:$access"
done
echo "SHARES='$tags'" >"$run/job/bed/settings"
archive "$run/job" >"$run/job.cpio"
cat "${parts[@]}" "$run/job.cpio" >"$run/initrd"
told "the files of the guest have $(($(stat -c %s "$run/initrd") >> 20)) MB"

# Without AVX the VM makes plainer code, which emulation runs faster. Several CPUs do not sleep: one that does wakes
# after 4 ms on a busy host.
options="quiet loglevel=4 console=ttyS1 panic=-1 mitigations=off nokaslr audit=0 apparmor=0 no_timer_check tsc=reliable \
random.trust_cpu=on 8250.nr_uarts=4 NODES=$nodes"
[ "$cpus" = 1 ] || options+=" idle=poll"
boot() {
    local node=$1 network=(-nic none) end=on
    if [ "$nodes" = 2 ]; then
        [ "$node" = 0 ] || end=off
        network=(-netdev "stream,id=wire,server=$end,addr.type=unix,addr.path=$run/wire"
            -device "virtio-net-pci,netdev=wire,mac=52:54:00:00:00:0$((node + 1))")
    fi
    mkfifo "$run/asked$node"
    touch "$run/output$node" "$run/kernel$node" "$run/status$node"
    beside events_from_guest "$node"
    # Ends with this script, even if this script is killed.
    setpriv --pdeathsig KILL qemu-system-x86_64 -accel tcg,thread=multi,tb-size=512 -cpu max,-avx,-avx2,-xsave,-la57 \
        -smp "$cpus" -m "$memory" -nodefaults -display none -no-reboot \
        -kernel "$cache/$kernel/vmlinux" -initrd "$run/initrd" -append "$options NODE=$node" \
        -chardev "file,id=output,path=$run/output$node" -device isa-serial,chardev=output \
        -chardev "file,id=kernel,path=$run/kernel$node" -device isa-serial,chardev=kernel \
        -chardev "file,id=status,path=$run/status$node" -device isa-serial,chardev=status \
        -chardev "file,id=asked,path=$run/asked$node" -device isa-serial,chardev=asked \
        "${network[@]}" ${devices[@]+"${devices[@]}"} </dev/null 2>"$run/qemu$node" &
    guests+=($!)
    echo $! >"$run/pid$node"
    disown # bash reports nothing of its end
}
boot 0
if [ "$nodes" = 2 ]; then
    until [ -S "$run/wire" ] || ! kill -0 "${guests[0]}" 2>/dev/null; do
        pause_shortly
    done
    boot 1
fi
told "power is on"

# Output as it comes; with two guests, each line begins with the number of its guest.
tails=()
for ((node = 0; node < nodes; node++)); do
    prefix=
    [ "$nodes" = 1 ] || prefix="$node: "
    tail -n +1 -s 0.1 -f --pid="${guests[$node]}" "$run/output$node" | sed -u "s/^/$prefix/" &
    tails+=($!)
done
[ -z "$events" ] || beside events_of "$events"

# Until no guest is left, other than those which are stopped.
end=$((SECONDS + limit))
over=
while :; do
    running=
    for ((node = 0; node < nodes; node++)); do
        if [ ! -e "$run/stopped$node" ] && kill -0 "${guests[$node]}" 2>/dev/null; then
            running=yes
        fi
    done
    [ -n "$running" ] || break
    if [ $SECONDS -ge "$end" ]; then
        over=yes
        break
    fi
    pause_shortly
done
told "the guests have ended"
for process in "${guests[@]}"; do
    kill -KILL "$process" 2>/dev/null || true
done
wait "${tails[@]}" || true

status=0
for ((node = 0; node < nodes; node++)); do
    [ -z "$verbose" ] || grep -ao 'bed: .*' "$run/kernel$node" | sed "s/^bed: /softroce: guest $node: /" >&2 || true
    if [ -n "$report" ]; then
        cp "$run/output$node" "$report/node$node.output.txt"
        cp "$run/kernel$node" "$report/node$node.kernel.txt"
    fi
    code=$(sed -n 's/^status=\([0-9]*\).*/\1/p' "$run/status$node")
    if [ -e "$run/killed$node" ] || { [ -e "$run/stopped$node" ] && [ -z "$over" ]; }; then
        told "guest $node was killed or stopped by an event, and its status does not count"
        code=0
    elif [ -z "$code" ]; then
        code=125
        reason="has ended without a status"
        if [ -n "$over" ]; then
            code=124
            reason="was switched off after $limit s; -t allows more"
        fi
        echo "softroce: guest $node $reason. The last lines of its kernel, and of QEMU:" >&2
        tail -n 20 "$run/kernel$node" "$run/qemu$node" >&2
    fi
    [ "$status" != 0 ] || status=$code
done
exit "$status"
