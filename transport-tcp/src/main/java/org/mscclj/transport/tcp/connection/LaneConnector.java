package org.mscclj.transport.tcp.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.transport.tcp.channel.LaneChannel;
import org.mscclj.transport.tcp.greeting.EndpointDescription;
import org.mscclj.transport.tcp.greeting.Hello;
import org.mscclj.transport.tcp.greeting.LocalEndpoint;
import org.mscclj.transport.tcp.greeting.ProcessSockets;
import org.mscclj.transport.tcp.link.LinkStream;
import org.mscclj.transport.tcp.loop.TimedTask;
import org.mscclj.transport.tcp.settings.TcpSettings;

/**
 * The endpoint of a connection: connects its lanes to the peer's endpoint, or waits for the peer to connect them,
 * within a time limit.
 */
final class LaneConnector implements LocalEndpoint {
    private final TcpConnection connection;
    private final ProcessSockets sockets;
    private final Lanes lanes;

    /** The connection's lock; it guards the lanes and the peer. */
    private final Object lock;

    private final EndpointDescription description;
    private final CountDownLatch decision = new CountDownLatch(1);
    private @Nullable EndpointDescription peer;
    private @Nullable TimedTask timeout;
    private Duration limit = Duration.ZERO;

    /** Whether the peer has not answered within the limit. */
    private boolean late;

    /** Number of links that the peer has connected by this endpoint's token. Only the loop's thread uses it. */
    private int links;

    LaneConnector(TcpConnection connection, ProcessSockets sockets, Lanes lanes, Object lock) {
        this.connection = connection;
        this.sockets = sockets;
        this.lanes = lanes;
        this.lock = lock;
        this.description = new EndpointDescription(
                sockets.process(),
                sockets.address(),
                ByteBuffer.wrap(Hello.random(Long.BYTES)).getLong(),
                Hello.random(Hello.TOKEN),
                lanes.count());
    }

    EndpointDescription description() {
        return description;
    }

    /**
     * Connects to the peer's endpoint, and returns when its process has answered or the connection has failed. If it is
     * the peer that connects, this call returns false at once, since the peer may in the same way be waiting for
     * another rank.
     */
    boolean connect(EndpointDescription to, Duration within) {
        boolean connects = description.connectsTo(to);
        TimedTask connectLimit = new TimedTask(within, this::notConnected);
        synchronized (lock) {
            peer = to;
            limit = within;
            timeout = connectLimit;
            if (connects) {
                lanes.expect(to.lanes());
            }
        }
        sockets.loop().execute(() -> watch(connectLimit));
        if (!connects) {
            return false;
        }
        sockets.loop().execute(() -> {
            for (int lane = 0; lane < to.lanes(); lane++) {
                sockets.links().connect(this, to, lane, connectLimit.deadline());
            }
        });
        try {
            decision.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while connecting to " + to);
        }
        return true;
    }

    private void watch(TimedTask connectLimit) {
        synchronized (lock) {
            if (!connection.isAlive() || lanes.areComplete()) {
                return;
            }
        }
        sockets.loop().watch(connectLimit);
    }

    /** Called when all lanes are attached or the connection has ended. Called by the loop's thread. */
    void decided() {
        TimedTask connectLimit;
        synchronized (lock) {
            connectLimit = timeout;
        }
        if (connectLimit != null) {
            sockets.loop().unwatch(connectLimit);
        }
        decision.countDown();
    }

    /** Whether the peer has not answered within the limit. Called under the lock. */
    boolean isLate() {
        return late;
    }

    /** The peer, as messages name it. Called under the lock. */
    String peerName() {
        EndpointDescription to = peer;
        return to == null ? "a peer" : to.toString();
    }

    // For the greetings.

    @Override
    public long id() {
        return description.id();
    }

    @Override
    public byte[] token() {
        return description.token();
    }

    @Override
    public boolean awaits(int lane, int count) {
        synchronized (lock) {
            return count == lanes.count() && lanes.lacks(lane) && connection.isAlive();
        }
    }

    @Override
    public boolean admitsLink() {
        return connection.isAlive() && links < lanes.count();
    }

    @Override
    public void countLink() {
        links++;
    }

    @Override
    public void attach(int lane, LaneChannel channel, LinkStream stream) throws IOException {
        connection.attach(lane, channel, stream);
    }

    @Override
    public boolean hasFailed() {
        return connection.hasFailed();
    }

    @Override
    public void fail(String what, @Nullable Throwable cause) {
        connection.fail(what, cause);
    }

    @Override
    public void notConnected() {
        String what;
        synchronized (lock) {
            EndpointDescription to = peer;
            if (!connection.isAlive() || lanes.areComplete() || connection.isClosedByPeer() || to == null) {
                return;
            }
            late = true;
            what = (description.connectsTo(to)
                            ? "it did not answer within "
                            : "the peer did not connect to " + description + " within ")
                    + DurationText.of(limit);
        }
        connection.fail(
                what + "; check whether its process is stopped, that the address can be reached, and "
                        + TcpSettings.INTERFACE + " and " + TcpSettings.PORTS,
                null);
    }
}
