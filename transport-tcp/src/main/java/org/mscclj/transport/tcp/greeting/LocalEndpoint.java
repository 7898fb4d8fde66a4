package org.mscclj.transport.tcp.greeting;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.link.LinkStream;

/** An endpoint of this process, as the greetings of its lanes see it. Only the loop's thread calls it. */
public interface LocalEndpoint {
    /** The id by which peers name the endpoint. */
    long id();

    /** The secret that proves that a peer has received the endpoint's description. */
    byte[] token();

    /** Whether this side expects the peer to connect this lane. */
    boolean awaits(int lane, int count);

    /** Whether the peer may connect another link by this endpoint's token: each of its lanes needs one at most. */
    boolean admitsLink();

    /** Counts a link that the peer has connected by this endpoint's token. */
    void countLink();

    /** Attaches a lane whose two ends have authenticated each other. */
    void attach(int lane, LaneChannel channel, LinkStream stream) throws IOException;

    /** Called when the time limit has passed: fails the connection if its lanes are not connected. */
    void notConnected();

    /** Whether the connection has failed. */
    boolean hasFailed();

    /** Aborts the connection. The first reason is kept. */
    void fail(String what, @Nullable Throwable cause);
}
