package org.mscclj.cli.selftest;

/**
 * The library with which benchmarks are compared.
 *
 * @param name its name for {@code mscclj perf --peer}
 * @param mostRanks the maximum number of ranks; benchmarks with more ranks are not compared
 */
record ComparedLibrary(String name, int mostRanks) {
    /** Creates a peer for any number of ranks. */
    static ComparedLibrary always(String name) {
        return new ComparedLibrary(name, Integer.MAX_VALUE);
    }
}
