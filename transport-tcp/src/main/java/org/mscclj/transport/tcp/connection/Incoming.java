package org.mscclj.transport.tcp.connection;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.memory.TcpLocalMemory;
import org.mscclj.transport.tcp.memory.WritableMemoryTable;

/**
 * The receiving side of a connection. A frame is stored only when all operations before its own are complete in memory;
 * until then its lane waits. Operations therefore complete in the order in which they were posted, whichever lane is
 * faster, and a lane waits only for earlier operations. Only the loop's thread uses it.
 */
final class Incoming {
    private final TcpConnection connection;
    private final Lanes lanes;
    private final WritableMemoryTable memories;

    /** The number of the peer's operations that are complete in memory; any thread may read it. */
    private volatile long landed;

    /** Bytes of the next operation that are in memory. */
    private long landedBytes;

    /** The number of operations that the peer has posted, according to its goodbye. */
    private long promised;

    private boolean stored;
    private boolean signalled;
    private boolean processing;

    Incoming(TcpConnection connection, Lanes lanes, WritableMemoryTable memories) {
        this.connection = connection;
        this.lanes = lanes;
        this.memories = memories;
    }

    /** Returns the number of the peer's operations that are complete in memory. Any thread may call it. */
    long landed() {
        return landed;
    }

    /** Stores the frames that the lanes have received, in order. */
    void process() {
        if (processing) {
            return; // a lane that continues to read calls this again
        }
        processing = true;
        try {
            while (takeRound()) {
                // a frame of one lane may be the one that another lane waits for
            }
        } catch (IOException e) {
            connection.broke(e);
        } finally {
            processing = false;
        }
        if (stored) {
            stored = false;
            connection.stored();
        }
        if (signalled) {
            signalled = false;
            connection.signalled();
        }
        for (int index = 0; index < lanes.count() && connection.isAlive(); index++) {
            Lane lane = lanes.find(index);
            if (lane != null) {
                lane.reportEnd();
            }
        }
    }

    /** Whether the peer's goodbye announces more operations than are complete. */
    boolean lacksPromised() {
        return landed < promised;
    }

    private boolean takeRound() throws IOException {
        boolean moved = false;
        for (int index = 0; index < lanes.count() && connection.isAlive(); index++) {
            Lane lane = lanes.find(index);
            if (lane != null) {
                boolean took = lane.process();
                moved |= took;
                if (took) {
                    lane.resume();
                }
            }
        }
        return moved;
    }

    /** Whether all operations before that of a frame are complete. */
    boolean mayTake(ByteBuffer in, int at) {
        byte type = in.get(at + Frame.TYPE);
        return (type != Frame.WRITE && type != Frame.SIGNAL) || in.getLong(at + Frame.POSITION) <= landed + 1;
    }

    /** Stores a frame; false if this aborts the connection. */
    boolean take(Lane lane, ByteBuffer in, MemorySegment bytes, int at, int length) {
        byte type = in.get(at + Frame.TYPE);
        return switch (type) {
            case Frame.WRITE, Frame.SIGNAL -> store(lane, type, in, bytes, at, length);
            case Frame.ACKNOWLEDGE -> connection.acknowledged(lane, in.getLong(at + Frame.POSITION));
            case Frame.GOODBYE -> {
                promised = Math.max(promised, in.getLong(at + Frame.POSITION));
                lane.goodbye();
                yield true;
            }
            case Frame.REFUSE -> {
                byte[] reason = new byte[length];
                in.get(at + Frame.HEADER, reason);
                connection.fail("the peer aborted the connection: " + new String(reason, StandardCharsets.UTF_8), null);
                yield false;
            }
            default -> {
                connection.refuse(lane, "a frame of unknown type " + type);
                yield false;
            }
        };
    }

    private boolean store(Lane lane, byte type, ByteBuffer in, MemorySegment bytes, int at, int length) {
        long position = in.getLong(at + Frame.POSITION);
        long id = in.getLong(at + Frame.MEMORY);
        long offset = in.getLong(at + Frame.OFFSET);
        long total = in.getLong(at + Frame.TOTAL);
        TcpLocalMemory memory = memories.find(id);
        boolean closed = memory != null && memory.id() != id; // another operation has the slot
        String fault = closed ? null : fault(type, memory, offset, length);
        if (position != landed + 1
                || total < 0
                || length > total - landedBytes
                || (type == Frame.SIGNAL && total != 0)) {
            fault = "part of operation " + position + " with " + length + " of " + total + " bytes, after " + landed
                    + " operations and " + landedBytes + " bytes";
        }
        if (fault != null || memory == null) {
            connection.refuse(lane, String.valueOf(fault));
            return false;
        }
        if (!closed) {
            if (type == Frame.SIGNAL) {
                memory.raise(offset);
                signalled = true;
            } else {
                memory.write(offset, bytes, at + (long) Frame.HEADER, length);
            }
        }
        stored = true;
        landedBytes += length;
        if (landedBytes == total) {
            landedBytes = 0;
            landed = position;
        }
        return true;
    }

    /** Returns what is wrong with the target of a frame; null if the target is valid. */
    private static @Nullable String fault(byte type, @Nullable TcpLocalMemory memory, long offset, int length) {
        if (memory == null) {
            return "a frame for memory that was never registered";
        }
        if (type == Frame.SIGNAL) {
            return memory.containsCounter(offset)
                    ? null
                    : "a signal to offset " + offset + " of memory of " + memory.byteSize()
                            + " bytes, where no counter can be";
        }
        return memory.contains(offset, length)
                ? null
                : length + " bytes for offset " + offset + " of memory of " + memory.byteSize() + " bytes";
    }
}
