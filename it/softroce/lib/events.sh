# shellcheck shell=bash disable=SC2034,SC2154 # variables of the scripts that read this file
# What happens to guests from outside while they run. See "Events" in README.md.
# Uses run, the folder of this run: its files pid0 and pid1 have the numbers of the QEMU processes.

# pause SECONDS: ends the shell that calls if the script has ended meanwhile.
pause() {
    local end=$((${EPOCHREALTIME/./} + $(awk -v seconds="$1" 'BEGIN { printf "%d", seconds * 1000000 }')))
    while [ "${EPOCHREALTIME/./}" -lt "$end" ]; do
        kill -0 $$ 2>/dev/null || exit 1
        sleep 0.05
    done
}

# event WORD ARGUMENT...: carries one out, in the shell that calls.
event() {
    local word=$1 node=${2:-} pid
    told "event: $*"
    case $word in
        wait)
            pause "$2"
            return 0
            ;;
        await | stop | cont | kill) ;;
        *)
            echo "softroce: the event '$*' is not known: wait SECONDS, await NODE TEXT, stop NODE [SECONDS], cont NODE," \
                "kill NODE" >&2
            return 0
            ;;
    esac
    if [ ! -f "$run/pid$node" ]; then
        echo "softroce: the event '$*' names no node: they are numbered from 0" >&2
        return 0
    fi
    pid=$(cat "$run/pid$node")
    case $word in
        await)
            shift 2
            until grep -qF -- "$*" "$run/output$node"; do
                pause 0.05
            done
            ;;
        stop)
            touch "$run/stopped$node"
            kill -STOP "$pid" || true
            if [ -n "${3:-}" ]; then
                pause "$3"
                event cont "$node"
            fi
            ;;
        cont)
            rm -f "$run/stopped$node"
            kill -CONT "$pid" || true
            ;;
        kill)
            touch "$run/killed$node"
            kill -KILL "$pid" || true
            ;;
    esac
}

# events_of FILE: carries out its lines, one after the other.
events_of() {
    local words
    while read -r -a words; do
        [ "${#words[@]}" -eq 0 ] || [[ "${words[0]}" == \#* ]] || event "${words[@]}"
    done <"$1"
}

# events_from_guest NODE: carries out what the guest asks for, each at once, until the script ends.
events_from_guest() {
    local line='' part code words
    while kill -0 $$ 2>/dev/null; do
        code=0
        part=''
        IFS= read -r -t 1 part || code=$?
        line+=$part # characters come one by one
        if [ "$code" -eq 0 ]; then
            read -r -a words <<<"$line"
            line=''
            [ "${#words[@]}" -eq 0 ] || event "${words[@]}" &
        fi
    done <>"$run/asked$1"
}
