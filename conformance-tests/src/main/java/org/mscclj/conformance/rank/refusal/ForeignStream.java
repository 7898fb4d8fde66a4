package org.mscclj.conformance.rank.refusal;

import java.time.Duration;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;

/**
 * A stream that no backend knows, though it says that it is of a device.
 *
 * @param device whose stream it says that it is
 */
record ForeignStream(Device device) implements Stream {
    @Override
    public void copy(DeviceBuffer source, DeviceBuffer destination) {
        // nothing is ever carried out
    }

    @Override
    public void record(Event event) {
        // nothing is ever carried out
    }

    @Override
    public void await(Event event) {
        // nothing is ever carried out
    }

    @Override
    public void synchronize(Duration timeout) {
        // nothing is ever carried out
    }

    @Override
    public void close() {
        // there is nothing to free
    }
}
