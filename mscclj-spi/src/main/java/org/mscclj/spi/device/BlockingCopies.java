package org.mscclj.spi.device;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;

/** Copies by the calling thread. */
final class BlockingCopies implements StagingCopies {
    private long started;

    @Override
    public synchronized long start(DeviceBuffer source, DeviceBuffer destination) {
        if (isOnHost(source)) {
            destination.copyFrom(source.segment());
        } else {
            source.copyTo(destination.segment());
        }
        return ++started;
    }

    private static boolean isOnHost(DeviceBuffer buffer) {
        try {
            return buffer.segment().isNative();
        } catch (UnsupportedException _) {
            return false;
        }
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
