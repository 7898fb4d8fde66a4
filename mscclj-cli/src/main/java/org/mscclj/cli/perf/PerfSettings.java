package org.mscclj.cli.perf;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;
import org.mscclj.cli.measure.Sampling;

/**
 * The settings of a measurement.
 *
 * @param collective the collective
 * @param ranks number of ranks
 * @param counts number of elements of a slice, for each size
 * @param type element type
 * @param op the reduction; nop for a collective without one
 * @param root the root of a rooted collective
 * @param algorithm the algorithm to use; empty to let the communicator choose
 * @param placements the placements to measure, at least one
 * @param sampling the way in which times are taken
 * @param check whether results are compared with the definition of the collective
 * @param seed this rank's proposal for the seed of the inputs; all ranks use rank 0's
 */
record PerfSettings(
        Collective collective,
        int ranks,
        List<Long> counts,
        DataType type,
        ReduceOp op,
        int root,
        Optional<String> algorithm,
        List<BufferPlacement> placements,
        Sampling sampling,
        boolean check,
        long seed) {
    PerfSettings {
        counts = List.copyOf(counts);
        placements = List.copyOf(placements);
    }

    CheckedCall shape(long count, BufferPlacement placement) {
        return new CheckedCall(
                collective, ranks, placement == BufferPlacement.IN_PLACE, count, type, op, Sources.root(root));
    }

    /** Returns the root as nccl-tests shows it: −1 for a collective without one. */
    int shownRoot() {
        return collective.hasRoot() ? root : -1;
    }
}
