package org.mscclj.gpu.transport;

import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.TransportConnection;
import org.mscclj.spi.transport.mapped.OwnMemory;
import org.mscclj.spi.transport.mapped.PeerMemory;

/**
 * Enqueues operations in a stream of its own, which keeps their order: writes are copies by the GPU's copy engines, and
 * signals are values that the stream writes after the earlier copies. Nothing that is enqueued here waits for a peer,
 * so the stream's work always ends. Allocates nothing after the first use of each counter.
 *
 * <p>A signal writes the new count of the counter, since a stream cannot add. Therefore this connection must be the
 * only writer of each counter. That holds for counters of channels. The barrier of all ranks at a wrap of packet flags
 * raises mapped counters directly and does not use this class.
 */
final class CopyEngineConnection implements TransportConnection {
    private final CopyingDevice device;
    private final GpuStream stream;
    private final Progress progress;
    private final SignalValues values = new SignalValues();
    private long posted;

    CopyEngineConnection(CopyingDevice device) {
        this.device = device;
        this.stream = GpuStream.create(device, device.context(), true);
        try {
            this.progress = new Progress(device.context(), stream.handle());
        } catch (RuntimeException | Error e) {
            stream.close();
            throw e;
        }
    }

    @Override
    public long write(LocalMemory source, long sourceOffset, RemoteMemory target, long targetOffset, long bytes) {
        long from = OwnMemory.of(source, device).address() + sourceOffset;
        long to = PeerMemory.of(target, device).address() + targetOffset;
        if (bytes > 0) {
            long before = device.context().enter();
            int result = device.context().driver().copies().withinDevices(to, from, bytes, stream.handle());
            device.context().leave(before);
            device.context().driver().check(result, "the copy of a transfer to a peer");
        }
        return ++posted;
    }

    @Override
    public long signal(RemoteMemory target, long targetOffset) {
        PeerMemory remote = PeerMemory.of(target, device);
        long address = remote.address() + targetOffset;
        if (!values.knows(address)) {
            values.start(remote, address, device.readCounter(remote.mapped(), targetOffset));
        }
        long before = device.context().enter();
        int result = device.context().driver().streams().writeValue(stream.handle(), address, values.next(address));
        device.context().leave(before);
        device.context().driver().check(result, "the write of a peer's counter");
        return ++posted;
    }

    @Override
    public long completed() {
        return progress.completed(posted);
    }

    @Override
    public void close() {
        try {
            stream.close(); // waits until sources have been read: they may be freed next
        } finally {
            progress.close();
        }
    }
}
