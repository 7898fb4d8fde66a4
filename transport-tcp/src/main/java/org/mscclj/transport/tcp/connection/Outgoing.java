package org.mscclj.transport.tcp.connection;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.mscclj.spi.transport.OperationQueue;
import org.mscclj.transport.tcp.memory.TcpLocalMemory;
import org.mscclj.transport.tcp.memory.TcpRemoteMemory;

/**
 * The sending side of a connection: cuts operations into frames, and acknowledges the peer's operations. Small
 * operations use the first lane with free buffer space, large ones are spread over all lanes. Guarded by the
 * connection's lock.
 */
final class Outgoing {
    /** Number of times that a thread fills and sends all lanes before it leaves the rest to the loop. */
    private static final int TURNS = 16;

    private final Lanes lanes;
    private final OperationQueue<TcpLocalMemory, TcpRemoteMemory> queue = new OperationQueue<>();
    private int nextLane;

    /** The position up to which the peer's operations are acknowledged. */
    private long acknowledged;

    /** Number of operations that were added; may be read without the lock. */
    private volatile long posted;

    Outgoing(Lanes lanes) {
        this.lanes = lanes;
    }

    /** Adds an operation; without a source it is a signal. Returns its position. */
    long add(
            @Nullable TcpLocalMemory source, long sourceOffset, TcpRemoteMemory target, long targetOffset, long bytes) {
        if (source == null) {
            queue.addSignal(target, targetOffset);
        } else {
            queue.add(source, sourceOffset, target, targetOffset, bytes);
        }
        long position = posted + 1;
        posted = position;
        return position;
    }

    /** The position of the last operation. */
    long posted() {
        return posted;
    }

    /** Removes all operations that are not in frames yet. */
    void clear() {
        queue.clear();
    }

    /**
     * Cuts waiting operations into frames, and sends as much as the sockets take. All lanes are attached.
     *
     * @param landed the number of the peer's operations that are complete in memory
     * @throws IOException if a socket broke
     * @throws ClosedSourceException if the source of a write is closed
     */
    void send(long landed) throws IOException, ClosedSourceException {
        boolean moved = true;
        for (int turn = 0; turn < TURNS && moved; turn++) {
            fill(landed);
            moved = false;
            for (int lane = 0; lane < lanes.count(); lane++) {
                moved |= lanes.lane(lane).send();
            }
            moved &= !queue.isEmpty();
        }
        fill(landed); // the remaining bytes after the last turn, so that lanes ask for another turn
        for (int lane = 0; lane < lanes.count(); lane++) {
            lanes.lane(lane).updateInterest();
        }
    }

    private void fill(long landed) throws ClosedSourceException {
        Lane first = lanes.lane(0);
        if (landed > acknowledged && first.hasSpace(0)) {
            first.put(Frame.ACKNOWLEDGE, 0, landed, 0, 0, 0);
            acknowledged = landed;
        }
        while (!queue.isEmpty() && frame()) {
            // while there is buffer space
        }
    }

    /** Puts a part of the first operation into a frame; false if no buffer has space. */
    private boolean frame() throws ClosedSourceException {
        long position = posted - queue.size() + 1;
        TcpRemoteMemory target = queue.target();
        long offset = queue.targetOffset();
        // A part ends at a word boundary of the target, so that no word is stored in two halves.
        long most = Frame.MAX_PAYLOAD - (target.misalignment() + offset & (Long.BYTES - 1));
        int length = (int) Math.min(queue.left(), most);
        Lane lane = laneWithSpace(length, queue.total() > most);
        if (lane == null) {
            return false;
        }
        if (queue.isSignal()) {
            lane.put(Frame.SIGNAL, 0, position, target.id(), offset, 0);
        } else if (queue.source().read(queue.sourceOffset(), lane.outgoing(), lane.payload(), length)) {
            lane.put(Frame.WRITE, length, position, target.id(), offset, queue.total());
        } else {
            throw new ClosedSourceException();
        }
        boolean _ = queue.advance(length);
        return true;
    }

    private @Nullable Lane laneWithSpace(int length, boolean spread) {
        int count = lanes.count();
        int start = spread ? nextLane : 0;
        for (int i = 0; i < count; i++) {
            int index = (start + i) % count;
            if (lanes.lane(index).hasSpace(length)) {
                nextLane = (index + 1) % count;
                return lanes.lane(index);
            }
        }
        return null;
    }

    /** Thrown when the source of a write was closed before its bytes were sent. */
    static final class ClosedSourceException extends Exception {
        private static final long serialVersionUID = 1L;

        ClosedSourceException() {
            super("the source of a write was closed before it was sent; close memory after its transfers");
        }
    }
}
