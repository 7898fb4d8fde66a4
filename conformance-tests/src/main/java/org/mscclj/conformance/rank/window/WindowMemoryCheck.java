package org.mscclj.conformance.rank.window;

import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks the memory of windows. Each rank opens memory of another size, rank 0 none. All ranks know the sizes, the
 * memory cannot be closed before the window, and can be mapped only within a node.
 */
final class WindowMemoryCheck implements RankCheck {
    private static final long STEP = 1000;

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        try (DeviceBuffer memory = communicator.device().allocate(STEP * context.rank())) {
            try (Window window = communicator.openWindow(memory)) {
                for (int rank = 0; rank < context.test().world(); rank++) {
                    if (window.byteSize(rank) != STEP * rank) {
                        context.report(
                                FindingKind.BEHAVIOUR,
                                "the window's memory on rank " + rank + " is said to have " + window.byteSize(rank)
                                        + " bytes; right is " + STEP * rank);
                    }
                    map(context, window, rank);
                }
                requireInUse(context, memory);
                communicator.barrier();
            }
        }
    }

    private static void map(RankContext context, Window window, int rank) {
        int ranksPerNode = context.communicator().ranksPerNode();
        boolean near = rank / ranksPerNode == context.rank() / ranksPerNode;
        if (rank == context.rank() || rank == 0) {
            return; // its own memory, or none
        }
        try (DeviceBuffer mapped = window.mapRemote(rank)) {
            if (!near || mapped.byteSize() != STEP * rank) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "memory of rank " + rank + (near ? " of this node" : " of another node") + " is mapped with "
                                + mapped.byteSize() + " bytes; right is "
                                + (near ? STEP * rank + " bytes" : "UnsupportedException"));
            }
        } catch (UnsupportedException e) {
            if (near) {
                throw e;
            }
        }
    }

    /** Memory of 0 bytes cannot be in use. */
    private static void requireInUse(RankContext context, DeviceBuffer memory) {
        if (memory.byteSize() == 0) {
            return;
        }
        try {
            memory.close();
            context.report(FindingKind.BEHAVIOUR, "the memory of an open window was closed");
        } catch (InvalidArgumentException expected) {
            return; // expected
        }
    }
}
