package org.mscclj.gpu.transport;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.gpu.stream.GpuStream;
import org.mscclj.spi.device.StagingCopies;

/** Copies by the GPU's copy engines, in a stream of their own of high priority. Allocates nothing. */
public final class GpuStagingCopies implements StagingCopies {
    private final CopyingDevice device;
    private final GpuStream stream;
    private final Progress progress;
    private long started;
    private boolean closed;

    private GpuStagingCopies(CopyingDevice device, GpuStream stream, Progress progress) {
        this.device = device;
        this.stream = stream;
        this.progress = progress;
    }

    /** Creates copies on a device. */
    public static GpuStagingCopies create(CopyingDevice device) {
        GpuStream stream = GpuStream.create(device, device.context(), true);
        try {
            return new GpuStagingCopies(device, stream, new Progress(device.context(), stream.handle()));
        } catch (RuntimeException | Error e) {
            stream.close();
            throw e;
        }
    }

    @Override
    public synchronized long start(DeviceBuffer source, DeviceBuffer destination) {
        if (closed) {
            throw new InvalidArgumentException("the copies are closed");
        }
        if (source.byteSize() != destination.byteSize()) {
            throw InvalidArgumentException.of(
                    "destination of a copy", destination.byteSize() + " bytes", source.byteSize() + " bytes");
        }
        long before = device.context().enter();
        int result = device.context()
                .driver()
                .copies()
                .withinDevices(destination.address(), source.address(), source.byteSize(), stream.handle());
        device.context().leave(before);
        device.context().driver().check(result, "a copy between a GPU and pinned memory");
        return ++started;
    }

    @Override
    public synchronized long ended() {
        return closed ? started : progress.completed(started);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            stream.close(); // waits for the copies
        } finally {
            progress.close();
        }
    }
}
