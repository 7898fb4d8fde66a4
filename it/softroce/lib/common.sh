# shellcheck shell=bash disable=SC2034,SC2154 # variables of the scripts that read this file
# What the scripts of the bed share. The caller has set here, the folder of run.sh.
cache=${SOFTROCE_CACHE:-$here/target}
root=$(cd "$here/../.." && pwd -P)

# fail STATUS MESSAGE...: ends the script.
fail() {
    local status=$1
    shift
    echo "softroce: $*" >&2
    exit "$status"
}

# told MESSAGE...: with -v, says how many seconds have gone since the start.
started=${EPOCHREALTIME/./}
told() {
    [ -n "${verbose:-}" ] || return 0
    local now=${EPOCHREALTIME/./}
    printf 'softroce: %6d ms  %s\n' $(((now - started) / 1000)) "$*" >&2
}

# as_root COMMAND...: through sudo for another user; never asks for a password.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

# key FILE...: a number that changes with the files, for names of what is made by them.
key() {
    cat "$@" | cksum | cut -d' ' -f1
}

# made NAME FUNCTION: prints nothing; the folder NAME of the cache is there, made by FUNCTION in an empty folder at the
# first call. A folder that was made half never gets the name. One process makes folders at a time.
made() {
    [ ! -d "$cache/$1" ] || return 0
    mkdir -p "$cache"
    exec {lock}>"$cache/lock"
    flock "$lock"
    if [ ! -d "$cache/$1" ]; then
        rm -rf "$cache/$1.part"
        mkdir "$cache/$1.part"
        # Not in a condition: "set -e" has no force there.
        set +e
        (
            set -e
            cd "$cache/$1.part"
            "$2"
        )
        local code=$?
        set -e
        [ "$code" -eq 0 ] || fail "$code" "'$1' could not be made in $cache/$1.part"
        mv "$cache/$1.part" "$cache/$1"
        told "made $1: $(du -sm "$cache/$1" | cut -f1) MB"
    fi
    exec {lock}>&-
}
