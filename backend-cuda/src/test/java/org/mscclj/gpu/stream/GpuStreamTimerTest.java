package org.mscclj.gpu.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.backend.cuda.standin.StandInBackend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.StreamTimer;

@ResourceLock(StandIn.RESOURCE)
class GpuStreamTimerTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private StandInBackend backend;
    private BackendDevice device;
    private Stream stream;

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @BeforeEach
    void open() {
        backend = new StandInBackend();
        device = backend.openDevice(0);
        stream = device.createStream();
    }

    @AfterEach
    void close() {
        device.close();
        stream.close();
        backend.close();
    }

    @Test
    void theTimeBetweenTwoPointsOfAStreamIsTheDevices() {
        try (StreamTimer timer = device.createStreamTimer().orElseThrow()) {
            timer.start(stream);
            stream.synchronize(LONG);
            LockSupport.parkNanos(PAUSE_NANOS);
            timer.stop(stream);
            stream.synchronize(LONG);
            long nanos = timer.nanos();
            assertTrue(nanos >= PAUSE_NANOS / 2, Long.toString(nanos));
            LockSupport.parkNanos(PAUSE_NANOS);
            assertEquals(nanos, timer.nanos(), "the host's clock does not count");
        }
    }

    @Test
    void aTimerThatNeverRanHasNoTime() {
        try (StreamTimer timer = device.createStreamTimer().orElseThrow()) {
            timer.start(stream);
            assertThrows(BackendException.class, timer::nanos);
        }
    }

    @Test
    void streamsOfOtherGpusAreRefused() {
        try (BackendDevice other = backend.openDevice(1);
                Stream foreign = other.createStream();
                StreamTimer timer = device.createStreamTimer().orElseThrow()) {
            assertThrows(InvalidArgumentException.class, () -> timer.start(foreign));
            timer.close();
            assertThrows(InvalidArgumentException.class, () -> timer.start(stream), "closed");
        }
    }
}
