package org.mscclj.transport.ib.connection;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.transport.ib.ffm.Gid;

/**
 * What the peer needs to connect to an end.
 *
 * @param block the address of the {@link ControlBlock}
 * @param atomics whether this side's adapters carry out atomic operations of the peer, and its settings permit them
 * @param rails the ports of this side
 */
record EndDescription(long block, boolean atomics, List<RailDescription> rails) {
    private static final int MAX_RAILS = 64;
    private static final int MAX_QUEUE_PAIRS = 64;

    EndDescription {
        rails = List.copyOf(rails);
    }

    /**
     * A port.
     *
     * @param gid its GID
     * @param lid its address within the subnet
     * @param mtu the code of its MTU
     * @param reads the most reads and atomics that each queue pair serves at once
     * @param key the key of the {@link ControlBlock}
     * @param pairs its queue pairs
     */
    record RailDescription(Gid gid, int lid, int mtu, int reads, int key, List<PairDescription> pairs) {
        RailDescription {
            pairs = List.copyOf(pairs);
        }
    }

    /**
     * A queue pair.
     *
     * @param number its number
     * @param packet the number of its first packet
     */
    record PairDescription(int number, int packet) {}

    byte[] encode() {
        int size = Long.BYTES + 1 + Integer.BYTES;
        for (RailDescription rail : rails) {
            size += 2 * Long.BYTES + 5 * Integer.BYTES + 2 * Integer.BYTES * rail.pairs.size();
        }
        ByteBuffer out = ByteBuffer.allocate(size)
                .putLong(block)
                .put((byte) (atomics ? 1 : 0))
                .putInt(rails.size());
        for (RailDescription rail : rails) {
            out.putLong(rail.gid.subnet()).putLong(rail.gid.port());
            out.putInt(rail.lid)
                    .putInt(rail.mtu)
                    .putInt(rail.reads)
                    .putInt(rail.key)
                    .putInt(rail.pairs.size());
            rail.pairs.forEach(pair -> out.putInt(pair.number).putInt(pair.packet));
        }
        return out.array();
    }

    static EndDescription decode(byte[] description) {
        ByteBuffer in = ByteBuffer.wrap(description);
        try {
            long block = in.getLong();
            boolean atomics = in.get() == 1;
            List<RailDescription> rails = new ArrayList<>();
            for (int left = count(in, MAX_RAILS); left > 0; left--) {
                Gid gid = new Gid(in.getLong(), in.getLong());
                int lid = in.getInt();
                int mtu = in.getInt();
                int reads = in.getInt();
                int key = in.getInt();
                List<PairDescription> pairs = new ArrayList<>();
                for (int more = count(in, MAX_QUEUE_PAIRS); more > 0; more--) {
                    pairs.add(new PairDescription(in.getInt(), in.getInt()));
                }
                rails.add(new RailDescription(gid, lid, mtu, reads, key, pairs));
            }
            if (!in.hasRemaining()) {
                return new EndDescription(block, atomics, rails);
            }
        } catch (BufferUnderflowException e) {
            throw new InvalidArgumentException(
                    "description of an endpoint: it is too short; pass one of transport ib", e);
        }
        throw InvalidArgumentException.of(
                "description of an endpoint", description.length + " bytes", "a description made by transport ib");
    }

    private static int count(ByteBuffer in, int most) {
        int count = in.getInt();
        if (count < 1 || count > most) {
            throw InvalidArgumentException.of(
                    "description of an endpoint",
                    "a count of " + count,
                    "1 to " + most + "; it was made by another version");
        }
        return count;
    }
}
