package org.mscclj.transport.tcp;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What a connection sends: its operations, cut into frames, and acknowledgements of the peer's. Small operations go
 * through the first lane that has room, large ones are spread over all. Used under the connection's lock.
 */
final class Outgoing {
    /** Times that all lanes are filled and sent before a thread turns to other work. */
    private static final int TURNS = 16;

    private final Lanes lanes;
    private final OperationQueue queue = new OperationQueue();
    private int nextLane;

    /** Up to where the peer has been told that its operations have landed. */
    private long acknowledged;

    /** How many operations were added; may be read without the lock. */
    private volatile long posted;

    Outgoing(Lanes lanes) {
        this.lanes = lanes;
    }

    /** Adds an operation; without a source it is a signal. Returns its position. */
    long add(
            @Nullable TcpLocalMemory source, long sourceOffset, TcpRemoteMemory target, long targetOffset, long bytes) {
        queue.add(source, sourceOffset, target, targetOffset, bytes);
        long position = posted + 1;
        posted = position;
        return position;
    }

    /** The position of the last operation. */
    long posted() {
        return posted;
    }

    /** Forgets what is not in frames yet. */
    void clear() {
        queue.clear();
    }

    /**
     * Puts what waits into frames, and sends what the sockets take. All lanes are attached.
     *
     * @param landed up to where the peer's operations have landed
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
        fill(landed); // what is left after the last turn, so that lanes ask to be sent again
        for (int lane = 0; lane < lanes.count(); lane++) {
            lanes.lane(lane).updateInterest();
        }
    }

    private void fill(long landed) throws ClosedSourceException {
        Lane first = lanes.lane(0);
        if (landed > acknowledged && first.hasRoom(0)) {
            first.put(Frame.ACKNOWLEDGE, 0, landed, 0, 0, 0);
            acknowledged = landed;
        }
        while (!queue.isEmpty() && frame()) {
            // as long as there is room
        }
    }

    /** Puts a part of the first operation into a frame; false if there is no room. */
    private boolean frame() throws ClosedSourceException {
        long position = posted - queue.size() + 1;
        TcpRemoteMemory target = queue.target();
        TcpLocalMemory source = queue.source();
        long offset = queue.targetOffset();
        // Parts end at whole words of the target, so that these are never stored in two halves.
        long most = Frame.MOST_PAYLOAD - (target.misalignment() + offset & (Long.BYTES - 1));
        int length = (int) Math.min(queue.left(), most);
        Lane lane = withRoom(length, queue.total() > most);
        if (lane == null) {
            return false;
        }
        if (source == null) {
            lane.put(Frame.SIGNAL, 0, position, target.id(), offset, 0);
        } else if (source.read(queue.sourceOffset(), lane.outgoing(), lane.payload(), length)) {
            lane.put(Frame.WRITE, length, position, target.id(), offset, queue.total());
        } else {
            throw new ClosedSourceException();
        }
        queue.framed(length);
        return true;
    }

    private @Nullable Lane withRoom(int length, boolean spread) {
        int count = lanes.count();
        int start = spread ? nextLane : 0;
        for (int i = 0; i < count; i++) {
            int index = (start + i) % count;
            if (lanes.lane(index).hasRoom(length)) {
                nextLane = (index + 1) % count;
                return lanes.lane(index);
            }
        }
        return null;
    }

    /** The source of a write was closed before it was sent. */
    static final class ClosedSourceException extends Exception {
        private static final long serialVersionUID = 1L;

        ClosedSourceException() {
            super("the source of a write was closed before it was sent; close memory after its transfers");
        }
    }
}
