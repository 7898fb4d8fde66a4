# What the parts of the test share. Each is called with a folder of its own, in namespaces of its own.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
folder=$1
plans=$root/examples/plans
limit=90
unset ${!MSCCLJ_*} ${!SLURM_*} ${!PMI_*} ${!PMIX_*} ${!OMPI_*} XDG_RUNTIME_DIR
export MSCCLJ_TIMEOUT_SECONDS=40

skip() {
    echo "launchers test: skipped, $*"
}

# expect NAME PATTERN COMMAND...: the command ends with 0, and says what the pattern describes, once.
expect() {
    local start=$SECONDS code=0 name=$1 pattern=$2
    shift 2
    timeout -k 10 "$limit" "$@" >"$folder/log" 2>&1 </dev/null || code=$?
    if [ "$code" != 0 ] || [ "$(grep -cE "$pattern" "$folder/log")" != 1 ]; then
        cat "$folder/log"
        echo "launchers test: $name ended with $code, expected \"$pattern\" once: $*" >&2
        exit 1
    fi
    echo "launchers test: $((SECONDS - start)) s, $name: $(grep -oE "$pattern" "$folder/log")"
}

# refused NAME COMMAND...: the command fails.
refused() {
    local name=$1
    shift
    if timeout -k 10 "$limit" "$@" >"$folder/log" 2>&1 </dev/null; then
        cat "$folder/log"
        echo "launchers test: $name succeeded, though it must fail: $*" >&2
        exit 1
    fi
    echo "launchers test: $name fails, as it must"
}
