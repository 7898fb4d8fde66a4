package org.mscclj.cli.simulate;

import java.util.OptionalInt;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.program.MappedPeers;
import org.mscclj.plan.program.ProgramPreference;
import org.mscclj.plan.program.ProgramSpec;
import org.mscclj.plan.program.ShippedProgram;

/**
 * What a shipped algorithm is asked for.
 *
 * @param collective what it computes
 * @param ranks number of ranks
 * @param ranksPerNode ranks of each node
 * @param inPlace whether input and output share memory
 * @param blocks thread blocks of each rank; empty for what the communicator chooses
 */
record ProgramCall(Collective collective, int ranks, int ranksPerNode, boolean inPlace, OptionalInt blocks) {
    /** What the program is asked for by a message of a size. */
    ProgramSpec spec(ShippedProgram program, int root, long messageBytes) {
        boolean levels = program.mappedPeers() == MappedPeers.SAME_NODE;
        ProgramSpec spec = ProgramSpec.of(collective, ranks)
                .ranksPerNode(levels ? Math.min(ranksPerNode, ranks) : ranks)
                .root(root)
                .inPlace(inPlace);
        return spec.blocks(blocks.orElseGet(() -> ProgramPreference.HOST.blocks(program, spec, messageBytes)));
    }
}
