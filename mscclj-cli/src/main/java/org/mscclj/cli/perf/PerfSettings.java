package org.mscclj.cli.perf;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;
import org.mscclj.cli.measure.LaunchMethod;

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
 * @param method the way in which launches are made
 * @param graphOperations launches in a graph; empty for enough launches for a replay of some milliseconds
 * @param iterations timed batches of each size
 * @param warmUp launches that are not timed; empty to launch until launches get no faster
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
        LaunchMethod method,
        Optional<Integer> graphOperations,
        int iterations,
        Optional<Integer> warmUp,
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

    /** Returns a description of the method of timing. */
    String timing() {
        return switch (method) {
            case EAGER -> "median of " + iterations + " batches of launches that follow one another, slowest rank";
            case GRAPH ->
                "median of " + iterations + " replays of a graph of "
                        + graphOperations.map(operations -> operations + " ").orElse("") + "launches, slowest rank";
        };
    }

    /** Returns the root as nccl-tests shows it: −1 for a collective without one. */
    int shownRoot() {
        return collective.hasRoot() ? root : -1;
    }
}
