package org.mscclj.cli.selftest;

/**
 * What benchmarks are compared with.
 *
 * @param name as {@code mscclj perf --peer} takes it
 * @param mostRanks of benchmarks of more ranks it is left out
 */
record Peer(String name, int mostRanks) {
    /** One that is wanted for any number of ranks. */
    static Peer always(String name) {
        return new Peer(name, Integer.MAX_VALUE);
    }
}
