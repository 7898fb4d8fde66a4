package org.mscclj.cli.ranks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.AbortedException;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SupervisorTest {
    @Test
    void aPhaseThatEndsSoonerThanTheOneBeforeIsKept() {
        PhaseLimit limit = new PhaseLimit();
        limit.begin("launch", Duration.ofDays(1000 * 365));
        CountDownLatch aborted = new CountDownLatch(1);
        AtomicReference<String> told = new AtomicReference<>("");
        Supervisor.run(
                () -> {
                    // Time for the supervisor to wait for the end of the first phase.
                    await(new CountDownLatch(1), 200);
                    limit.begin("end after a failure", Duration.ofMillis(50));
                    await(aborted, 60_000);
                },
                limit,
                reason -> {
                    told.set(reason);
                    aborted.countDown();
                });
        assertEquals("end after a failure took too long", told.get());
    }

    private static void await(CountDownLatch latch, long millis) {
        try {
            latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted", e);
        }
    }
}
