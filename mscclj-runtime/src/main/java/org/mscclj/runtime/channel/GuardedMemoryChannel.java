package org.mscclj.runtime.channel;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.type.PacketType;

/** A device's memory channel, which keeps its parts from being closed until it is closed itself. */
final class GuardedMemoryChannel implements MemoryChannel, Part {
    private final MemoryChannel channel;
    private final List<Users> parts;
    private final AtomicBoolean closed = new AtomicBoolean();

    GuardedMemoryChannel(MemoryChannel channel, List<Users> parts) {
        this.channel = channel;
        this.parts = parts;
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
        channel.await(Objects.requireNonNull(timeout, "timeout"));
    }

    @Override
    public long deviceHandle() {
        return channel.deviceHandle();
    }

    @Override
    public void putPackets(long targetOffset, long originOffset, long bytes, int flag, PacketType type) {
        channel.putPackets(targetOffset, originOffset, bytes, flag, Objects.requireNonNull(type, "type"));
    }

    @Override
    public void getPackets(
            long packetOffset, long originOffset, long bytes, int flag, PacketType type, Duration timeout) {
        channel.getPackets(
                packetOffset,
                originOffset,
                bytes,
                flag,
                Objects.requireNonNull(type, "type"),
                Objects.requireNonNull(timeout, "timeout"));
    }

    @Override
    public boolean isOpen() {
        return !closed.get();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            channel.close();
            parts.forEach(Users::remove);
        }
    }
}
