package org.mscclj.cli.measure;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.Stream;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.StreamTimer;

/** Times work of a stream: by the clock of the device, or by the host's if the device has none. */
public interface StreamClock extends AutoCloseable {
    /** Returns a clock for streams of a device. */
    static StreamClock of(Device device) {
        return timer(device).<StreamClock>map(OfDevice::new).orElseGet(OfHost::new);
    }

    /** Returns the name of the clock that {@link #of} returns, for reports. */
    static String label(Device device) {
        Optional<StreamTimer> timer = timer(device);
        timer.ifPresent(StreamTimer::close);
        return timer.isPresent() ? "device" : "host";
    }

    private static Optional<StreamTimer> timer(Device device) {
        return device instanceof BackendDevice own ? own.createStreamTimer() : Optional.empty();
    }

    /** Starts after the work enqueued so far. */
    void start(Stream stream, Duration timeout);

    /** Stops after the work enqueued so far. */
    void stop(Stream stream, Duration timeout);

    /** Returns the time from start to stop. The stream's work must have ended. */
    long nanos();

    @Override
    void close();

    /** The clock of a device, for which the host does not wait. */
    record OfDevice(StreamTimer timer) implements StreamClock {
        @Override
        public void start(Stream stream, Duration timeout) {
            timer.start(stream);
        }

        @Override
        public void stop(Stream stream, Duration timeout) {
            timer.stop(stream);
        }

        @Override
        public long nanos() {
            return timer.nanos();
        }

        @Override
        public void close() {
            timer.close();
        }
    }

    /** The clock of the host, which is read when the stream is empty. */
    final class OfHost implements StreamClock {
        private long started;
        private long stopped;

        @Override
        public void start(Stream stream, Duration timeout) {
            stream.synchronize(timeout);
            started = System.nanoTime();
        }

        @Override
        public void stop(Stream stream, Duration timeout) {
            stream.synchronize(timeout);
            stopped = System.nanoTime();
        }

        @Override
        public long nanos() {
            return stopped - started;
        }

        @Override
        public void close() {}
    }
}
