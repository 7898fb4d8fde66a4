package org.mscclj.cli.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.cli.measure.StreamClock.OfDevice;
import org.mscclj.cli.measure.StreamClock.OfHost;
import org.mscclj.spi.device.StreamTimer;

/** The order of replays and readings of the clock. */
class GraphBatchTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> log = new ArrayList<>();
    private final Stream stream = (Stream) Proxy.newProxyInstance(
            Stream.class.getClassLoader(), new Class<?>[] {Stream.class}, (_, method, arguments) -> {
                log.add(method.getName() + " " + ((Duration) arguments[0]).toSeconds());
                return null;
            });

    private final class LoggedGraph implements Graph {
        @Override
        public void launch(Stream on) {
            log.add("replay");
        }

        @Override
        public void close() {
            log.add("close graph");
        }
    }

    private final class LoggedTimer implements StreamTimer {
        @Override
        public void start(Stream on) {
            log.add("start");
        }

        @Override
        public void stop(Stream on) {
            log.add("stop");
        }

        @Override
        public long nanos() {
            return 42;
        }

        @Override
        public void close() {
            log.add("close timer");
        }
    }

    @Test
    void theHostDoesNotWaitBetweenReplaysThatADeviceTimes() {
        try (GraphBatch batch = new GraphBatch(new LoggedGraph(), stream, 10, new OfDevice(new LoggedTimer()))) {
            assertEquals(42, batch.time(new SampleSize(1, 2), SECOND));
        }
        assertEquals(
                List.of("replay", "start", "replay", "replay", "stop", "synchronize 30", "close timer", "close graph"),
                log);
    }

    @Test
    void theHostsClockIsReadWhenTheStreamIsEmpty() {
        try (GraphBatch batch = new GraphBatch(new LoggedGraph(), stream, 1, new OfHost())) {
            batch.time(new SampleSize(1, 1), SECOND);
        }
        assertEquals(
                List.of("replay", "synchronize 2", "replay", "synchronize 2", "synchronize 2", "close graph"), log);
    }
}
