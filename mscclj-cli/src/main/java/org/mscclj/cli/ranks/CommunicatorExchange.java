package org.mscclj.cli.ranks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;

/**
 * Exchanges messages between processes by an allgather on a small registered buffer, with one slot for each rank: a
 * length, then the message.
 */
final class CommunicatorExchange implements RankExchange, AutoCloseable {
    private static final int SLOT_BYTES = 16 << 10;

    /**
     * Timeout of an exchange. It is long, since a rank may be checking a large result; a lost rank is detected at once
     * anyway.
     */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final int ranks;
    private final DeviceBuffer buffer;
    private final DeviceBuffer own;
    private final PreparedOperation allGather;

    /** Opens the exchange. All ranks must call this. */
    CommunicatorExchange(Communicator communicator) {
        ranks = communicator.size();
        buffer = communicator.allocate((long) ranks * SLOT_BYTES);
        own = buffer.slice((long) communicator.rank() * SLOT_BYTES, SLOT_BYTES);
        allGather = communicator.prepare(CollectiveCall.allGather(own, buffer, DataType.INT8));
    }

    @Override
    public List<byte[]> allGather(byte[] message) {
        int most = SLOT_BYTES - Integer.BYTES;
        if (message.length > most) {
            throw InvalidArgumentException.of("message of " + message.length + " bytes", "too long", most + " bytes");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(SLOT_BYTES, Integer.BYTES);
            slot.set(ValueLayout.JAVA_INT, 0, message.length);
            MemorySegment.copy(message, 0, slot, ValueLayout.JAVA_BYTE, Integer.BYTES, message.length);
            own.copyFrom(slot);
            allGather.run(TIMEOUT);
            MemorySegment all = arena.allocate(buffer.byteSize(), Integer.BYTES);
            buffer.copyTo(all);
            return messages(all);
        }
    }

    private List<byte[]> messages(MemorySegment all) {
        return IntStream.range(0, ranks).mapToObj(rank -> message(all, rank)).toList();
    }

    private static byte[] message(MemorySegment all, int rank) {
        MemorySegment slot = all.asSlice((long) rank * SLOT_BYTES, SLOT_BYTES);
        return slot.asSlice(Integer.BYTES, slot.get(ValueLayout.JAVA_INT, 0)).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void close() {
        allGather.close();
        buffer.close();
    }
}
