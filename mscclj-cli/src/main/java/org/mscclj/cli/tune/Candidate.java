package org.mscclj.cli.tune;

import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.language.program.ShippedProgram;

/**
 * A program with the size of its launch.
 *
 * @param program the program
 * @param blocks thread blocks of each rank
 * @param threads the most threads of a block; 0 for the engine's number
 */
record Candidate(ShippedProgram program, int blocks, int threads) {
    /** Returns the name by which a call asks for this candidate. */
    String algorithm() {
        return program.label() + new LaunchSize(blocks, threads).suffix();
    }

    /** Returns this candidate with another number of blocks. */
    Candidate blocks(int count) {
        return new Candidate(program, count, threads);
    }

    /** Returns this candidate with another number of threads. */
    Candidate threads(int most) {
        return new Candidate(program, blocks, most);
    }
}
