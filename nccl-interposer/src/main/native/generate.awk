# Writes what the table of names decides: awk -v FORM=map|stubs -f generate.awk names.tsv.
#   map    the version script of the linker: each name, its twin with the prefix "p", and the mark of a library that stands in for NCCL
#   stubs  C functions for the names that this library does not serve itself
# A line of the table has a name, the version of NCCL that introduced it, and how it is handled:
#   served   C code defines it
#   passed   the installed NCCL gets the call, if MSCCLJ_NCCL_LIB names one: it takes no communicator, and at most four words
#   refused  it returns a code, and ncclGetLastError a text
BEGIN {
    FS = "\t"
    if (FORM == "map") print "{\n  global:\n    mscclj_stands_in_for_nccl;"
    else print "#include \"interposer.h\"\n"
}
NF != 3 || $3 !~ /^(served|passed|refused)$/ {
    print "names.tsv:" NR ": wrong line: " $0 > "/dev/stderr"
    failed = 1
    exit 1
}
FORM == "map" { print "    " $1 ";\n    p" $1 ";" }
FORM == "stubs" && $3 == "refused" { print "API(long, " $1 ", (void)) {\n    return refused(\"" $1 "\", \"" $2 "\");\n}\n" }
FORM == "stubs" && $3 == "passed" {
    print "API(long, " $1 ", (long a, long b, long c, long d)) {\n    return passed(\"" $1 "\", \"" $2 "\", a, b, c, d);\n}\n"
}
END { if (FORM == "map" && !failed) print "  local:\n    *;\n};" }
