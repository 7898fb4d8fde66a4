package org.mscclj.conformance.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Work that does not end says where it is. */
class DaemonTaskTest {
    @Test
    void workThatHangsTellsItsCall() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch ending = new CountDownLatch(1);
        DaemonTask<Boolean> task = DaemonTask.start("hangs", () -> {
            started.countDown();
            try {
                ending.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return true;
        });
        started.await();
        String where = task.where();
        String call = "in the call java.base/java.util.concurrent.CountDownLatch.await(";
        for (long end = System.nanoTime() + 10_000_000_000L; System.nanoTime() < end && !where.contains(call); ) {
            where = task.where();
        }
        assertTrue(where.contains(call), where);
        assertTrue(where.contains("; its stack: "), where);
        ending.countDown();
        assertTrue(task.endsWithin(Duration.ofSeconds(10)));
        assertEquals(true, task.result());
    }
}
