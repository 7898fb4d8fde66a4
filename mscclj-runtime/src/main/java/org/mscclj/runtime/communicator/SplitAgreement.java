package org.mscclj.runtime.communicator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.control.Wire;

/** Checks that the lists that ranks pass to a split match. */
final class SplitAgreement {
    private SplitAgreement() {}

    /**
     * Compares the lists of all ranks, and returns this rank's list. Collective.
     *
     * @throws InvalidArgumentException on every rank, if the lists do not match
     */
    static List<Integer> require(ControlPlane control, List<Integer> own) {
        List<Message> all = Exchange.gather(control, Topic.of(TopicKind.SPLIT), () -> {
            check(control, own);
            ByteBuffer bytes = ByteBuffer.allocate(own.size() * Integer.BYTES);
            own.forEach(bytes::putInt);
            return bytes.array();
        });
        List<Child> children = Wire.decodeAll(all, Child.class, message -> Child.decode(message, all.size()));
        Map<Child, Integer> numbers = new HashMap<>(); // so that lists of n ranks are compared n times, not n² times
        int[] childOf = children.stream()
                .mapToInt(child -> numbers.computeIfAbsent(child, _ -> numbers.size()))
                .toArray();
        for (int rank = 0; rank < childOf.length; rank++) {
            for (int member : children.get(rank).ranks()) {
                if (childOf[member] != childOf[rank]) {
                    throw new InvalidArgumentException("split: rank " + rank + " passes "
                            + children.get(rank).ranks() + ", but rank " + member + " passes "
                            + children.get(member).ranks() + "; all ranks of a child must pass the same list");
                }
            }
        }
        return own;
    }

    private static void check(ControlPlane control, List<Integer> own) {
        for (int rank : own) {
            if (rank < 0 || rank >= control.size()) {
                throw InvalidArgumentException.of("split: a rank of " + own, rank, "0 to " + (control.size() - 1));
            }
        }
        if (new HashSet<>(own).size() != own.size()) {
            throw InvalidArgumentException.of("split: the list of ranks", own, "each rank once");
        }
        if (!own.isEmpty() && !own.contains(control.rank())) {
            throw InvalidArgumentException.of(
                    "split: the list of ranks",
                    own,
                    "a list with the calling rank " + control.rank() + ", or an empty one to take no part");
        }
    }

    /** The list that a rank passes. */
    private record Child(List<Integer> ranks) {
        static Child decode(byte[] message, int size) {
            return Wire.decode(message, in -> {
                List<Integer> ranks = new ArrayList<>();
                while (in.available() > 0) {
                    int rank = in.readInt();
                    if (rank < 0 || rank >= size) {
                        throw new IOException("rank " + rank + " of a child is none of 0 to " + (size - 1));
                    }
                    ranks.add(rank);
                }
                return new Child(List.copyOf(ranks));
            });
        }
    }
}
