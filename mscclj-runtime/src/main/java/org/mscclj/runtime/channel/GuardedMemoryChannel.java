package org.mscclj.runtime.channel;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.type.PacketType;
import org.mscclj.runtime.control.ClosedPeer;
import org.mscclj.runtime.time.Deadline;

/** A device's memory channel. Until it is closed, the objects that it is made of cannot be closed. */
final class GuardedMemoryChannel implements MemoryChannel, Part {
    /** How often a wait checks whether the peer has closed. */
    private static final long LOOK_NANOS = 50_000_000;

    private final MemoryChannel channel;
    private final List<Users> parts;
    private final ChannelEnvironment environment;
    private final int peer;
    private volatile boolean closed;

    GuardedMemoryChannel(MemoryChannel channel, List<Users> parts, ChannelEnvironment environment, int peer) {
        this.channel = channel;
        this.parts = parts;
        this.environment = environment;
        this.peer = peer;
    }

    /** A wait of the device's channel. It ends on aborts and losses, but does not know whether the peer has closed. */
    @FunctionalInterface
    private interface Wait {
        void within(Duration limit);
    }

    /** Waits in pieces, and checks between them whether the peer has closed. */
    private void await(String what, Duration timeout, Wait wait) {
        Deadline deadline = Deadline.after(Objects.requireNonNull(timeout, "timeout"));
        ClosedPeer closing = new ClosedPeer(environment.control(), peer);
        while (true) {
            long left = deadline.left();
            try {
                wait.within(Duration.ofNanos(Math.min(left, LOOK_NANOS)));
                return;
            } catch (OperationTimeoutException e) {
                if (closing.isGone()) {
                    RankLostException gone = ClosedPeer.exception(peer, what);
                    gone.initCause(e);
                    throw gone;
                }
                if (left <= LOOK_NANOS) {
                    throw TimeUnit.NANOSECONDS.convert(timeout) <= LOOK_NANOS ? e : late(timeout, e);
                }
            }
        }
    }

    private static OperationTimeoutException late(Duration timeout, OperationTimeoutException lastPiece) {
        OperationTimeoutException late = new OperationTimeoutException(
                "waited " + DurationText.of(timeout) + ", in pieces; the last one: " + lastPiece.getMessage(),
                lastPiece.missingRanks());
        late.initCause(lastPiece);
        return late;
    }

    @Override
    public void put(long targetOffset, long originOffset, long bytes) {
        channel.put(targetOffset, originOffset, bytes);
    }

    @Override
    public void get(long targetOffset, long originOffset, long bytes) {
        channel.get(targetOffset, originOffset, bytes);
    }

    @Override
    public long read(long targetOffset) {
        return channel.read(targetOffset);
    }

    @Override
    public void write(long targetOffset, long value) {
        channel.write(targetOffset, value);
    }

    @Override
    public void signal() {
        channel.signal();
    }

    @Override
    public void signalRelaxed() {
        channel.signalRelaxed();
    }

    @Override
    public boolean poll() {
        return channel.poll();
    }

    @Override
    public void await(Duration timeout) {
        await("a signal on a memory channel", timeout, channel::await);
    }

    @Override
    public long deviceHandle() {
        return channel.deviceHandle();
    }

    @Override
    public void checkWaits() {
        if (closed) {
            throw ChannelEnvironment.closedChannel();
        }
        environment.checkWaits(peer, "a memory channel");
    }

    @Override
    public void putPackets(long targetOffset, long originOffset, long bytes, int flag, PacketType type) {
        channel.putPackets(targetOffset, originOffset, bytes, flag, Objects.requireNonNull(type, "type"));
    }

    @Override
    public void getPackets(
            long packetOffset, long originOffset, long bytes, int flag, PacketType type, Duration timeout) {
        Objects.requireNonNull(type, "type");
        await(
                "packets on a memory channel",
                timeout,
                limit -> channel.getPackets(packetOffset, originOffset, bytes, flag, type, limit));
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try {
                channel.close();
            } finally {
                parts.forEach(Users::remove);
            }
        }
    }
}
