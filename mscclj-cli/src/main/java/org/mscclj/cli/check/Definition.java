package org.mscclj.cli.check;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.element.Reduction;

/** What a collective computes: for every element of every output, which elements of which inputs it is made of. */
public final class Definition {
    private final CallShape shape;
    private final int root;
    private final int[] senders;

    private Definition(CallShape shape, int root, int[] senders) {
        this.shape = shape;
        this.root = root;
        this.senders = senders;
    }

    /**
     * The definition of a call.
     *
     * @param scores by rank, what {@link RankVerifier#scores} found: it decides on a root or senders that are not known
     */
    public static Definition of(CallShape shape, List<long[]> scores) {
        return switch (shape.collective()) {
            case SENDRECV ->
                new Definition(
                        shape,
                        -1,
                        IntStream.range(0, shape.ranks())
                                .map(rank -> Origins.best(shape.sources().sendersTo(rank), scores.get(rank)))
                                .toArray());
            case BROADCAST, SCATTER, REDUCE, GATHER ->
                new Definition(shape, Origins.best(shape.sources().roots(), Origins.sum(scores)), new int[0]);
            default -> new Definition(shape, -1, new int[0]);
        };
    }

    /** Whether a rank's output is defined. */
    boolean defines(int rank) {
        return switch (shape.collective()) {
            case REDUCE, GATHER -> rank == root;
            case TEST -> false;
            default -> true;
        };
    }

    boolean reduces() {
        return shape.collective().reduces();
    }

    /** The position in every input that an element of a rank's output is reduced from. */
    long reducedFrom(int rank, long position) {
        return shape.collective() == Collective.REDUCESCATTER ? rank * shape.count() + position : position;
    }

    /** The rank that an element of an output is moved from. */
    int sourceRank(int rank, long position) {
        return switch (shape.collective()) {
            case ALLGATHER, ALLTOALL, GATHER -> (int) (position / shape.count());
            case SENDRECV -> senders[rank];
            default -> root;
        };
    }

    /** The position in that rank's input. */
    long sourcePosition(int rank, long position) {
        return switch (shape.collective()) {
            case ALLGATHER, GATHER -> position % shape.count();
            case ALLTOALL -> rank * shape.count() + position % shape.count();
            case SCATTER -> rank * shape.count() + position;
            default -> position;
        };
    }

    /** Reduces one element over all inputs. */
    static void reduce(Reduction reduction, InputData inputs, int ranks, long index) {
        reduction.start();
        for (int rank = 0; rank < ranks; rank++) {
            reduction.add(inputs.bits(rank, index));
        }
        reduction.finish();
    }
}
