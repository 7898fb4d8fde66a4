package org.mscclj.cli.tune;

import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.tuning.TuningChoice;

/**
 * An algorithm with the size of its launch.
 *
 * @param name the label of a shipped program, or the name of a native algorithm
 * @param blocks thread blocks of each rank; 0 for the choice of a native algorithm
 * @param threads the most threads of a block; 0 for the choice of the engine, or of a native algorithm
 */
record Candidate(String name, int blocks, int threads) {
    /** The choice of the communicator, for calls that name no algorithm. */
    static final Candidate UNTUNED = new Candidate(TuningChoice.DEFAULT, 0, 0);

    /** Returns the name by which a call asks for this candidate. */
    String algorithm() {
        return name + new LaunchSize(blocks, threads).suffix();
    }

    /** Returns this candidate with another number of blocks. */
    Candidate blocks(int count) {
        return new Candidate(name, count, threads);
    }

    /** Returns this candidate with another number of threads. */
    Candidate threads(int most) {
        return new Candidate(name, blocks, most);
    }
}
