package org.mscclj.gpu.channel;

import java.time.Duration;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.PacketType;
import org.mscclj.gpu.memory.DeviceStructure;

/** A memory channel of which the host knows only the address. */
final class GpuMemoryChannel implements MemoryChannel {
    private final DeviceStructure structure;

    GpuMemoryChannel(DeviceStructure structure) {
        this.structure = structure;
    }

    @Override
    public long deviceHandle() {
        if (structure.isClosed()) {
            throw new InvalidArgumentException("this channel is closed; make another one");
        }
        return structure.address();
    }

    private static UnsupportedException unsupported(String operation) {
        return new UnsupportedException(operation + ": threads of the host cannot use memory channels of a GPU backend"
                + " (HOST_CHANNELS); give deviceHandle() to a kernel, or use a port channel");
    }

    @Override
    public void put(long targetOffset, long originOffset, long bytes) {
        throw unsupported("put");
    }

    @Override
    public void get(long targetOffset, long originOffset, long bytes) {
        throw unsupported("get");
    }

    @Override
    public long read(long targetOffset) {
        throw unsupported("read");
    }

    @Override
    public void write(long targetOffset, long value) {
        throw unsupported("write");
    }

    @Override
    public void signal() {
        throw unsupported("signal");
    }

    @Override
    public void signalRelaxed() {
        throw unsupported("signalRelaxed");
    }

    @Override
    public boolean poll() {
        throw unsupported("poll");
    }

    @Override
    public void await(Duration timeout) {
        throw unsupported("await");
    }

    @Override
    public void putPackets(long targetOffset, long originOffset, long bytes, int flag, PacketType type) {
        throw unsupported("putPackets");
    }

    @Override
    public void getPackets(
            long packetOffset, long originOffset, long bytes, int flag, PacketType type, Duration timeout) {
        throw unsupported("getPackets");
    }

    @Override
    public void close() {
        structure.close();
    }
}
