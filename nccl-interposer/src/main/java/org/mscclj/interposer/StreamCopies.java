package org.mscclj.interposer;

import java.util.ArrayDeque;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Stream;

/**
 * Copies on streams of the program. To close a stream waits for its copies, and a call of NCCL must not wait for the
 * GPU: what another stream waits for may be launched behind that call. So each copy has a stream object of its own,
 * which a later call closes. The program may destroy its stream meanwhile, as no launch uses this object.
 */
final class StreamCopies {
    private final Device device;
    private final ArrayDeque<Copy> underWay = new ArrayDeque<>();
    private final ArrayDeque<Event> spare = new ArrayDeque<>();

    /** A copy, and an event behind it. */
    private record Copy(Stream stream, Event end) {}

    StreamCopies(Device device) {
        this.device = device;
    }

    /** Copies behind what is on a stream of the program. */
    void copy(DeviceBuffer from, DeviceBuffer to, long handle) {
        sweep();
        Stream stream = device.adoptStream(handle);
        try {
            stream.copy(from, to);
            if (!stream.isCapturing()) {
                Event end = spare.isEmpty() ? device.createEvent() : spare.remove();
                stream.record(end); // first, as a spare event is reached until then
                underWay.add(new Copy(stream, end));
                return;
            }
        } catch (RuntimeException | Error e) {
            stream.close();
            throw e;
        }
        stream.close(); // nothing runs during a capture
    }

    private void sweep() {
        while (!underWay.isEmpty() && underWay.element().end().isReached()) {
            Copy copy = underWay.remove();
            copy.stream().close();
            spare.add(copy.end());
        }
    }

    /** Waits for the copies. */
    void close() {
        for (Copy copy : underWay) {
            copy.stream().close();
            copy.end().close();
        }
        underWay.clear();
        spare.forEach(Event::close);
        spare.clear();
    }
}
