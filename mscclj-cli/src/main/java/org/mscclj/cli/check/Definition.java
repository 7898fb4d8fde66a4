package org.mscclj.cli.check;

import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.element.Reduction;

/**
 * The definition of a collective: for each element of each output, the elements of the inputs from which it is
 * computed.
 */
public final class Definition {
    private final CheckedCall shape;
    private final int root;
    private final int[] senders;

    private Definition(CheckedCall shape, int root, int[] senders) {
        this.shape = shape;
        this.root = root;
        this.senders = senders;
    }

    /**
     * Creates the definition of a call.
     *
     * @param scores the results of {@link RankVerifier#scores} by rank, which determine an unknown root or unknown
     *     senders
     */
    public static Definition of(CheckedCall shape, List<long[]> scores) {
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

    /** Returns the position in every input from which an element of a rank's output is reduced. */
    long reducedFrom(int rank, long position) {
        return shape.collective() == Collective.REDUCESCATTER ? rank * shape.count() + position : position;
    }

    /** Returns the rank from which an element of an output is copied. */
    int sourceRank(int rank, long position) {
        return switch (shape.collective()) {
            case ALLGATHER, ALLTOALL, GATHER -> (int) (position / shape.count());
            case SENDRECV -> senders[rank];
            default -> root;
        };
    }

    /** Returns the position in that rank's input. */
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
