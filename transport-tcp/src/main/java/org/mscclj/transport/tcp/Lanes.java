package org.mscclj.transport.tcp;

import org.jspecify.annotations.Nullable;

/**
 * The sockets of a connection. The loop's thread alone attaches and closes them, under the connection's lock; so it may
 * look without it.
 */
final class Lanes {
    private final @Nullable Lane[] lanes = new Lane[TcpSettings.MOST_LANES];
    private int count;
    private int attached;
    private int ended;

    /** So many are expected. */
    Lanes(int count) {
        this.count = count;
    }

    /** The side that connects makes as many as the other one wants. */
    void expect(int lanes) {
        count = lanes;
    }

    int count() {
        return count;
    }

    /** Whether all are attached. */
    boolean areComplete() {
        return attached == count;
    }

    /** Whether this one is expected, and not attached yet. */
    boolean lacks(int index) {
        return index >= 0 && index < count && lanes[index] == null;
    }

    void attach(int index, Lane lane) {
        lanes[index] = lane;
        attached++;
    }

    /** The peer has ended one; whether it has ended all that are attached. */
    boolean end() {
        ended++;
        return ended == attached;
    }

    /** Nothing more is sent: a socket that broke can always be written. */
    void stopSending() {
        for (Lane lane : lanes) {
            if (lane != null) {
                lane.stopSending();
            }
        }
    }

    /** A lane, once all are attached. */
    Lane lane(int index) {
        Lane lane = lanes[index];
        if (lane == null) {
            throw new IllegalStateException("lane " + index + " is not connected");
        }
        return lane;
    }

    /** A lane, if it is attached. */
    @Nullable
    Lane find(int index) {
        return lanes[index];
    }

    /** Closes all; what has been attached stays counted. */
    void close() {
        for (int index = 0; index < count; index++) {
            Lane open = lanes[index];
            if (open != null) {
                open.close();
                lanes[index] = null;
            }
        }
    }
}
