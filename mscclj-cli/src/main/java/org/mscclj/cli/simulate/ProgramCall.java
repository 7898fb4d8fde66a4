package org.mscclj.cli.simulate;

import java.util.OptionalInt;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;

/**
 * What a shipped algorithm is asked for.
 *
 * @param collective what it computes
 * @param ranks number of ranks
 * @param inPlace whether input and output share memory
 * @param blocks thread blocks of each rank; empty for what the communicator chooses
 */
record ProgramCall(Collective collective, int ranks, boolean inPlace, OptionalInt blocks) {
    /** From this size on the communicator takes several blocks, except for packets. */
    private static final long LEAST_BYTES_OF_SEVERAL_BLOCKS = 1 << 20;

    private static final int SEVERAL_BLOCKS = 4;

    /** The plan for a message of a size. */
    Plan plan(ShippedProgram program, int root, long messageBytes) {
        boolean several = program != ShippedProgram.PACKETS && messageBytes >= LEAST_BYTES_OF_SEVERAL_BLOCKS;
        int used = blocks.orElse(several ? SEVERAL_BLOCKS : 1);
        return program.plan(new ProgramSpec(collective, ranks, root, inPlace, used));
    }
}
