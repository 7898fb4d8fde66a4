package org.mscclj.cli.perf;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.Sources;
import org.mscclj.cli.measure.LaunchMethod;

/**
 * What is measured.
 *
 * @param collective which collective
 * @param ranks number of ranks
 * @param counts elements of a slice, for each size
 * @param type element type
 * @param op how contributions are combined; nop if data is only moved
 * @param root of a rooted collective
 * @param algorithm the algorithm to use; empty to let the communicator choose
 * @param placements in which to measure, at least one
 * @param method how the launches of a batch are made
 * @param graphOperations launches in a graph; empty to take so many that a replay takes some milliseconds
 * @param iterations timed batches of each size
 * @param warmUp launches that are not timed; empty to launch until launches get no faster
 * @param check whether results are compared with the definition of the collective
 * @param seed of the inputs, as this rank would choose it; rank 0's counts
 */
record PerfSettings(
        Collective collective,
        int ranks,
        List<Long> counts,
        DataType type,
        ReduceOp op,
        int root,
        Optional<String> algorithm,
        List<Placement> placements,
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

    CallShape shape(long count, Placement placement) {
        return new CallShape(collective, ranks, placement == Placement.IN_PLACE, count, type, op, Sources.root(root));
    }

    /** How times came about, in words. */
    String timing() {
        return switch (method) {
            case EAGER -> "median of " + iterations + " batches of launches that follow one another, slowest rank";
            case GRAPH ->
                "median of " + iterations + " replays of a graph of "
                        + graphOperations.map(operations -> operations + " ").orElse("") + "launches, slowest rank";
        };
    }

    /** As nccl-tests shows it: −1 for a collective without a root. */
    int shownRoot() {
        return collective.hasRoot() ? root : -1;
    }
}
