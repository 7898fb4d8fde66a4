package org.mscclj.cli.check;

import java.util.List;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.element.Reduction;

/** What a collective computes: for every element of every output, which elements of which inputs it is made of. */
final class Definition {
    private final CallShape shape;
    private final int root;
    private final int[] senders;

    private Definition(CallShape shape, int root, int[] senders) {
        this.shape = shape;
        this.root = root;
        this.senders = senders;
    }

    /** The definition for a call whose outputs are there to find a root that the plan does not name. */
    static Definition of(CallShape shape, InputData inputs, List<Elements> outputs) {
        Origins origins = new Origins(shape, inputs, outputs);
        return switch (shape.collective()) {
            case SENDRECV -> new Definition(shape, -1, origins.senders());
            case BROADCAST, SCATTER -> new Definition(shape, origins.rootOfInputs(), new int[0]);
            case REDUCE -> new Definition(shape, origins.rootOfReduce(), new int[0]);
            case GATHER -> new Definition(shape, origins.rootOfGather(), new int[0]);
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
