package org.mscclj.cli.tune;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.ProgramRanking;

/**
 * A program with a number of thread blocks.
 *
 * @param program the program
 * @param blocks thread blocks of each rank
 */
record Candidate(ShippedProgram program, int blocks) {
    /** How far numbers of blocks are tried, as powers of two: a quarter to four times the number of the thresholds. */
    private static final int STEPS = 2;

    private static final int MAX_BLOCKS = 128;

    /** Returns the name by which a call asks for this candidate. */
    String algorithm() {
        return program.label() + "@" + blocks;
    }

    /**
     * Returns the candidates for a message: every program that serves the call within a node, with numbers of blocks
     * around the one that the thresholds give. A program in lines is one of them only where the device has lines.
     *
     * @param ranking the thresholds of the device
     * @param also candidates that were best for other sizes
     */
    static List<Candidate> of(ProgramSpec spec, long messageBytes, ProgramRanking ranking, Set<Candidate> also) {
        Set<Candidate> all = new LinkedHashSet<>();
        for (ShippedProgram program : ShippedProgram.values()) {
            if (isTried(program, spec) && (ranking.preference().hasLines() || !program.usesLines())) {
                int middle = ranking.blocks(program, spec, messageBytes);
                for (int step = -STEPS; step <= STEPS; step++) {
                    int blocks = step < 0 ? middle >> -step : middle << step;
                    all.add(new Candidate(program, Math.clamp(blocks, 1, MAX_BLOCKS)));
                }
            }
        }
        all.addAll(also);
        return new ArrayList<>(all);
    }

    /** Programs between nodes and by a switch need what a table does not say. */
    private static boolean isTried(ShippedProgram program, ProgramSpec spec) {
        return program != ShippedProgram.TWO_LEVEL
                && !program.usesSwitch()
                && program.collectives().contains(spec.collective())
                && program.refusal(spec).isEmpty();
    }
}
