package org.mscclj.transport.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a connection receives. A frame is stored only when all operations before its own have landed completely; until
 * then its lane waits. So the order is that of posting, whatever lane is faster, and no lane waits for a later one.
 * Used by the loop's thread.
 */
final class Incoming {
    private final TcpConnection connection;
    private final Lanes lanes;
    private final MemoryTable memories;

    /** Up to where everything that the peer posted has landed; others may read it. */
    private volatile long landed;

    /** Bytes of the next operation that have landed. */
    private long landedBytes;

    /** Up to where the peer says, by its goodbye, that it has posted. */
    private long promised;

    private boolean stored;
    private boolean signalled;
    private boolean processing;

    Incoming(TcpConnection connection, Lanes lanes, MemoryTable memories) {
        this.connection = connection;
        this.lanes = lanes;
        this.memories = memories;
    }

    /** Up to where everything that the peer posted has landed. Any thread. */
    long landed() {
        return landed;
    }

    /** Takes what all lanes have received, in order. */
    void process() {
        if (processing) {
            return; // called again by a lane that reads on
        }
        processing = true;
        try {
            while (takeRound()) {
                // what one lane brought may be what another one waits for
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

    /** Whether the peer has said goodbye after more than what has landed. */
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

    /** Whether everything before a frame has landed. */
    boolean mayTake(ByteBuffer in, int at) {
        byte type = in.get(at + Frame.TYPE);
        return (type != Frame.WRITE && type != Frame.SIGNAL) || in.getLong(at + Frame.POSITION) <= landed + 1;
    }

    /** Takes a frame; false if the connection is given up. */
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
                connection.fail("the peer gave the connection up: " + new String(reason, StandardCharsets.UTF_8), null);
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
        boolean closed = memory != null && memory.id() != id; // somebody else has the slot
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

    /** What is wrong with where a frame wants to go; null if nothing is. */
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
