package org.mscclj.spi.device;

import org.mscclj.api.device.DeviceBuffer;

/** Copies by the calling thread. */
final class BlockingCopies implements StagingCopies {
    private long started;

    @Override
    public synchronized long start(DeviceBuffer source, DeviceBuffer destination) {
        HostSegment.of(source).ifPresentOrElse(destination::copyFrom, () -> source.copyTo(destination.segment()));
        return ++started;
    }

    @Override
    public synchronized long ended() {
        return started;
    }

    @Override
    public void close() {
        // holds no resources
    }
}
