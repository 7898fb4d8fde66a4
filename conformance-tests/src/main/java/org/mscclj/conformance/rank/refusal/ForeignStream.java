package org.mscclj.conformance.rank.refusal;

import java.time.Duration;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;

/**
 * A stream that no backend knows, although it reports a device.
 *
 * @param device the device that it reports
 */
record ForeignStream(Device device) implements Stream {
    @Override
    public void copy(DeviceBuffer source, DeviceBuffer destination) {
        // nothing is ever executed
    }

    @Override
    public void record(Event event) {
        // nothing is ever executed
    }

    @Override
    public void await(Event event) {
        // nothing is ever executed
    }

    @Override
    public void synchronize(Duration timeout) {
        // nothing is ever executed
    }

    @Override
    public void close() {
        // there is nothing to free
    }
}
