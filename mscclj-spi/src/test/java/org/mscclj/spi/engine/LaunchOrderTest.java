package org.mscclj.spi.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LaunchOrderTest {
    private final LaunchOrder order = new LaunchOrder();

    @Test
    void launchesOfSomeRanksAreCountedApart() {
        assertEquals(1, order.take());
        assertEquals(2, order.takeAlone());
        assertEquals(3, order.takeAlone());
        assertEquals(4, order.take());
        assertEquals(4, order.taken());
        assertEquals(2, order.alone());
        assertEquals(2, order.shared());
        assertEquals(0, order.sharedUpTo(0));
        assertEquals(1, order.sharedUpTo(1));
        assertEquals(1, order.sharedUpTo(3));
        assertEquals(2, order.sharedUpTo(4));
        assertEquals(-1, order.sharedUpTo(5));
        assertEquals(-1, order.sharedUpTo(-1));
    }

    @Test
    void endsAreCountedApartWhateverIsInFlight() {
        order.takeAlone();
        order.take();
        order.take();
        order.takeAlone();
        assertEquals(List.of(0L, 0L), List.of(order.endedShared(), order.endedAlone()));
        order.ended(1);
        assertEquals(List.of(0L, 1L), List.of(order.endedShared(), order.endedAlone()));
        order.ended(3);
        assertEquals(List.of(2L, 1L), List.of(order.endedShared(), order.endedAlone()));
        order.ended(4);
        assertEquals(List.of(2L, 2L), List.of(order.endedShared(), order.endedAlone()));
    }

    @Test
    void ofVeryManyInFlightEndsAreCountedAtLeast() {
        order.takeAlone();
        order.ended(1);
        for (int i = 0; i < 10_000; i++) {
            order.take();
        }
        assertEquals(-1, order.sharedUpTo(1));
        assertEquals(List.of(0L, 0L), List.of(order.endedShared(), order.endedAlone()), "no more than have ended");
        order.ended(10_000);
        assertEquals(List.of(9_999L, 1L), List.of(order.endedShared(), order.endedAlone()));
    }

    @Test
    void replaysHaveNumbersThatAllRanksCount() {
        List<Long> replays = new ArrayList<>();
        order.whenReplayed(replays::add);
        order.takeAlone();
        order.takeAlone();
        order.replayed(order.take());
        order.replayed(order.takeAlone());
        assertEquals(List.of(1L, 1L), replays);
    }

    @Test
    void whoHasNothingToLookAtIsNotAsked() {
        AtomicInteger looks = new AtomicInteger();
        order.look();
        assertFalse(order.isPolled());
        order.pollBy(looks::incrementAndGet);
        assertTrue(order.isPolled());
        order.look();
        order.stopPolling();
        order.look();
        assertFalse(order.isPolled());
        assertEquals(1, looks.get());
    }

    @Test
    void whoCountsWhileMessagesAreLaunchedCountsNone() throws InterruptedException {
        order.take();
        Thread sending = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 300_000; i++) {
                order.takeAlone();
            }
        });
        while (sending.isAlive()) {
            assertEquals(1, order.shared());
        }
        sending.join();
    }
}
