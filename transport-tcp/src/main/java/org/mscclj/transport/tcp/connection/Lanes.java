package org.mscclj.transport.tcp.connection;

import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.settings.TcpSettings;

/**
 * The lanes of a connection. Only the loop's thread attaches and closes them, under the connection's lock; that thread
 * may therefore read them without the lock.
 */
public final class Lanes {
    private final @Nullable Lane[] lanes = new Lane[TcpSettings.MAX_LANES];
    private int count;
    private int attached;
    private int ended;

    /** Creates an empty set of lanes, with the number of expected ones. */
    Lanes(int count) {
        this.count = count;
    }

    /** Sets the number of expected lanes: the connecting side opens as many as the other side expects. */
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

    /** Whether this lane is expected and not attached yet. */
    boolean lacks(int index) {
        return index >= 0 && index < count && lanes[index] == null;
    }

    void attach(int index, Lane lane) {
        lanes[index] = lane;
        attached++;
    }

    /** Counts a lane that the peer has ended; returns whether it has ended all attached lanes. */
    boolean end() {
        ended++;
        return ended == attached;
    }

    /** Sends a goodbye on each attached lane, as far as possible without waiting. */
    void sayGoodbye(long posted) {
        for (int index = 0; index < count; index++) {
            Lane lane = lanes[index];
            if (lane != null) {
                lane.sayGoodbye(posted);
            }
        }
    }

    /** Stops sending: a broken socket is always writable. */
    void stopSending() {
        for (Lane lane : lanes) {
            if (lane != null) {
                lane.stopSending();
            }
        }
    }

    /** Returns a lane; all lanes are attached. */
    Lane lane(int index) {
        Lane lane = lanes[index];
        if (lane == null) {
            throw new IllegalStateException("lane " + index + " is not connected");
        }
        return lane;
    }

    /** Returns a lane, if it is attached. */
    @Nullable
    Lane find(int index) {
        return lanes[index];
    }

    /** Closes all lanes; the number of attached lanes stays as it is. */
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
