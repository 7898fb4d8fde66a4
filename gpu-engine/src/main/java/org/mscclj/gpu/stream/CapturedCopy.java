package org.mscclj.gpu.stream;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BufferUser;

/**
 * A graph as a user of the buffers of its copies: closing such a buffer throws until the graph is gone.
 *
 * @param life the graph's
 */
record CapturedCopy(GraphLife life) implements BufferUser {
    /** Registers the graph with both buffers of a copy that is about to be captured. */
    static void keep(BackendDevice device, CaptureInfo capture, DeviceBuffer source, DeviceBuffer destination) {
        CapturedCopy user = new CapturedCopy(GraphLife.of(capture));
        device.addUser(source, user);
        device.addUser(destination, user);
    }

    @Override
    public boolean isUsing() {
        return !life.isOver();
    }

    @Override
    public boolean removesItself() {
        return false;
    }

    @Override
    public void bufferClosed() {
        // the graph is gone, and keeps nothing of the buffer
    }
}
