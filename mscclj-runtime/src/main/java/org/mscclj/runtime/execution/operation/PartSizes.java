package org.mscclj.runtime.execution.operation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.spi.transfer.Transfer;

/**
 * Sizes of a rank's point-to-point transfers in a collective that consists of them. Ranks compare these sizes before
 * they launch the collective.
 *
 * @param sent bytes of each send, in order, by receiving rank
 * @param expected bytes of each receive, in order, by sending rank
 */
public record PartSizes(Map<Integer, List<Long>> sent, Map<Integer, List<Long>> expected) {

    /** Returns the sizes of a rank's transfers. */
    public static PartSizes of(List<Transfer> transfers) {
        PartSizes sizes = new PartSizes(new HashMap<>(), new HashMap<>());
        for (Transfer transfer : transfers) {
            sizes.add(transfer.sends(), transfer.peer(), transfer.bytes());
        }
        return sizes;
    }

    private void add(boolean sends, int peer, long bytes) {
        (sends ? sent : expected).computeIfAbsent(peer, _ -> new ArrayList<>()).add(bytes);
    }

    byte[] encode() {
        return Wire.encode(out -> {
            for (Map<Integer, List<Long>> byPeer : List.of(sent, expected)) {
                out.writeInt(byPeer.size());
                for (Map.Entry<Integer, List<Long>> ofPeer : byPeer.entrySet()) {
                    out.writeInt(ofPeer.getKey());
                    out.writeInt(ofPeer.getValue().size());
                    for (long bytes : ofPeer.getValue()) {
                        out.writeLong(bytes);
                    }
                }
            }
        });
    }

    static PartSizes decode(byte[] message) {
        return Wire.decode(message, in -> {
            PartSizes sizes = new PartSizes(new HashMap<>(), new HashMap<>());
            for (boolean sends : new boolean[] {true, false}) {
                for (int peers = in.readInt(); peers > 0; peers--) {
                    int peer = in.readInt();
                    for (int messages = in.readInt(); messages > 0; messages--) {
                        sizes.add(sends, peer, in.readLong());
                    }
                }
            }
            return sizes;
        });
    }

    /**
     * Checks that each rank expects from each other rank the sizes that the other rank sends to it.
     *
     * @param what describes the call of all ranks
     * @param encoded sizes that each rank has {@linkplain #encode encoded}
     * @throws InvalidArgumentException on every rank alike; the exception names the first two ranks that differ, and
     *     both sizes
     */
    static void requireEqualAtBothEnds(String what, List<Message> encoded) {
        List<PartSizes> ranks = Wire.decodeAll(encoded, PartSizes.class, PartSizes::decode);
        String first = "";
        int more = 0;
        for (int from = 0; from < ranks.size(); from++) {
            for (int to = 0; to < ranks.size(); to++) {
                List<Long> leaving = ranks.get(from).sent.getOrDefault(to, List.of());
                List<Long> arriving = ranks.get(to).expected.getOrDefault(from, List.of());
                if (leaving.equals(arriving)) {
                    continue;
                }
                if (first.isEmpty()) {
                    first = "rank " + from + " sends " + words(leaving) + " to rank " + to + ", which expects "
                            + words(arriving);
                } else {
                    more++;
                }
            }
        }
        if (!first.isEmpty()) {
            throw new InvalidArgumentException(
                    what + ": " + first + (more == 0 ? "" : ", and " + more + " more pairs of ranks differ")
                            + "; the sizes of a part must be equal where it comes from and where it goes");
        }
    }

    private static String words(List<Long> messages) {
        return switch (messages.size()) {
            case 0 -> "nothing";
            case 1 -> messages.getFirst() + " bytes";
            default -> "messages of " + messages + " bytes";
        };
    }
}
