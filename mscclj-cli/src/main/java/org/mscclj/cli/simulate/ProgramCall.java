package org.mscclj.cli.simulate;

import java.util.OptionalInt;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.MappedPeers;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.DefaultPrograms;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.language.selection.ProgramRanking;
import org.mscclj.plan.Plan;
import org.mscclj.plan.preference.ProgramPreference;

/**
 * The parameters of a shipped algorithm.
 *
 * @param collective the collective
 * @param ranks number of ranks
 * @param ranksPerNode number of ranks on each node
 * @param inPlace whether input and output share memory
 * @param blocks number of thread blocks of each rank; empty for the communicator's choice
 * @param preference the preference of communicators on the machine
 */
record ProgramCall(
        Collective collective,
        int ranks,
        int ranksPerNode,
        boolean inPlace,
        OptionalInt blocks,
        ProgramPreference preference) {
    /** Returns the plan that communicators choose for registered buffers. */
    Plan chosenPlan(long messageBytes) {
        ProgramSpec request = ProgramSpec.of(collective, ranks)
                .ranksPerNode(Math.min(ranksPerNode, ranks))
                .inPlace(inPlace);
        ProgramChoice choice = DefaultPrograms.best(request, true, messageBytes, preference);
        return choice.program()
                .plan(choice.spec().blocks(blocks.orElse(choice.spec().blocks())));
    }

    /** Returns the parameters of the program for a message size. */
    ProgramSpec spec(ShippedProgram program, int root, long messageBytes) {
        boolean levels = program.mappedPeers() == MappedPeers.SAME_NODE;
        ProgramSpec spec = ProgramSpec.of(collective, ranks)
                .ranksPerNode(levels ? Math.min(ranksPerNode, ranks) : ranks)
                .root(root)
                .inPlace(inPlace);
        return spec.blocks(blocks.orElseGet(() -> new ProgramRanking(preference).blocks(program, spec, messageBytes)));
    }
}
