package org.mscclj.cli.stress.rank;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.Communicator;
import org.mscclj.conformance.operation.Step;
import org.mscclj.objects.ObjectCodec;
import org.mscclj.objects.ObjectCollectives;

/** An allgather of texts, then a broadcast of one rank's text, with each rank as the root in turn. */
final class ObjectStep implements Step {
    /** The name of this operation. */
    static final String NAME = "objects";

    private final Communicator communicator;
    private final ObjectCollectives objects;
    private final int length;
    private int runs;

    /** Prepares the operation. Does not wait for other ranks. */
    ObjectStep(Communicator communicator, int length) {
        this.communicator = communicator;
        this.objects = ObjectCollectives.over(communicator);
        this.length = length;
    }

    @Override
    public void run() {
        int run = runs++;
        List<String> right = new ArrayList<>();
        for (int rank = 0; rank < communicator.size(); rank++) {
            right.add(text(rank, run));
        }
        require(right, objects.allGather(right.get(communicator.rank()), ObjectCodec.strings()));
        int root = run % communicator.size();
        require(
                List.of(right.get(root)),
                List.of(objects.broadcast(root, ObjectCodec.strings(), () -> right.get(root))));
    }

    private String text(int rank, int run) {
        return (rank + ":" + run + " ").repeat(Math.max(1, length / 8));
    }

    private static void require(List<String> right, List<String> actual) {
        if (!actual.equals(right)) {
            throw new IllegalStateException(
                    "objects: " + actual.size() + " texts were received, which differ from those that were sent");
        }
    }

    @Override
    public void close() {
        // each call frees its resources
    }
}
