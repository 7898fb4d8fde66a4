package org.mscclj.runtime.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.runtime.time.Deadline;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DumpThreadsTest {
    private final DumpThreads threads = new DumpThreads();
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger written = new AtomicInteger();

    private void write() {
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        written.incrementAndGet();
    }

    @Test
    void allAreWaitedFor() {
        threads.awaitEnds(Deadline.after(Duration.ofHours(1))); // nobody writes
        for (int i = 0; i < 3; i++) {
            threads.start(this::write);
        }
        threads.awaitEnds(Deadline.after(Duration.ofMillis(20)));
        assertEquals(0, written.get());
        Thread.ofPlatform().start(go::countDown);
        threads.awaitEnds(Deadline.after(Duration.ofHours(1)));
        assertEquals(3, written.get());
    }
}
