package org.mscclj.support.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.support.interpreter.ArenaDevice;

class InOrderStreamTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ArenaDevice device = new ArenaDevice();

    private InOrderStream stream() {
        return InOrderStream.of(device.createStream());
    }

    private static StreamWork until(CountDownLatch latch) {
        return _ -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    @Test
    void workIsCarriedOutInOrderWithItsTicket() {
        List<Long> tickets = new ArrayList<>();
        try (InOrderStream stream = stream()) {
            for (long i = 0; i < 1000; i++) {
                long ticket = i;
                assertEquals(ticket, stream.enqueue(tickets::add, () -> ticket));
            }
        } // waits
        assertEquals(1000, tickets.size());
        for (int i = 0; i < 1000; i++) {
            assertEquals(i, tickets.get(i));
        }
    }

    @Test
    void anEventOrdersStreams() {
        CountDownLatch first = new CountDownLatch(1);
        List<String> order = new ArrayList<>();
        try (InOrderStream one = stream();
                InOrderStream two = stream();
                Event event = device.createEvent()) {
            assertTrue(event.isReached());
            long _ = one.enqueue(until(first), () -> 0);
            long _ = one.enqueue(_ -> order.add("one"), () -> 0);
            one.record(event);
            two.await(event);
            long _ = two.enqueue(_ -> order.add("two"), () -> 0);
            assertFalse(event.isReached());
            first.countDown();
            two.synchronize(LONG);
            assertTrue(event.isReached());
        }
        assertEquals(List.of("one", "two"), order);
    }

    @Test
    void aTimeoutIsReported() {
        CountDownLatch latch = new CountDownLatch(1);
        try (InOrderStream stream = stream()) {
            long _ = stream.enqueue(until(latch), () -> 0);
            assertThrows(OperationTimeoutException.class, () -> stream.synchronize(Duration.ofMillis(1)));
            latch.countDown();
            stream.synchronize(LONG);
        }
    }

    @Test
    void copiesKeepTheirBuffers() {
        CountDownLatch latch = new CountDownLatch(1);
        try (InOrderStream stream = stream();
                DeviceBuffer source = device.allocate(8);
                DeviceBuffer target = device.allocate(8)) {
            source.segment().set(ValueLayout.JAVA_LONG, 0, 42);
            long _ = stream.enqueue(until(latch), () -> 0);
            stream.copy(source, target);
            assertThrows(InvalidArgumentException.class, source::close);
            assertThrows(InvalidArgumentException.class, () -> stream.copy(source, target.slice(0, 4)));
            latch.countDown();
            stream.synchronize(LONG);
            assertEquals(42, target.segment().get(ValueLayout.JAVA_LONG, 0));
        }
    }

    @Test
    void aClosedStreamRefusesWork() {
        InOrderStream stream = stream();
        stream.close();
        stream.close();
        assertThrows(InvalidArgumentException.class, () -> stream.enqueue(_ -> {}, () -> 0));
        Event event = device.createEvent();
        event.close();
        assertThrows(InvalidArgumentException.class, event::isReached);
    }
}
