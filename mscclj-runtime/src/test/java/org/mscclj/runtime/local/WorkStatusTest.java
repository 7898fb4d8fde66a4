package org.mscclj.runtime.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.Work;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.type.DataType;

/** A work says how it stands, and why it failed, without waiting. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkStatusTest {
    private static LocalGroup open() {
        return LocalGroup.open(LocalGroupOptions.ranks(2).timeout(Duration.ofSeconds(30)));
    }

    @Test
    void whatHasEndedWellHasSucceeded() {
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                Work work = communicator.allReduce(communicator.allocate(DataType.INT32, 4));
                work.join();
                assertEquals(Work.Status.SUCCEEDED, work.status());
                assertEquals(Optional.empty(), work.failure());
            });
        }
    }

    @Test
    void whatWaitsIsInFlightAndWhatIsAbortedHasFailed() {
        CountDownLatch joined = new CountDownLatch(2); // an abort fails what the other rank has not joined yet
        try (LocalGroup group = open()) {
            group.run(communicator -> {
                TypedBuffer buffer = communicator.allocate(DataType.INT32, 4);
                communicator.allReduce(buffer).join(); // sets its kind up, on both ranks
                joined.countDown();
                if (communicator.rank() == 0) {
                    assertTrue(joined.await(30, TimeUnit.SECONDS));
                    Work work = communicator.allReduce(buffer); // which rank 1 does not call
                    assertEquals(Work.Status.IN_FLIGHT, work.status());
                    assertEquals(Optional.empty(), work.failure());
                    communicator.abort("enough");
                    assertThrows(AbortedException.class, work::join);
                    assertEquals(Work.Status.FAILED, work.status());
                    assertInstanceOf(AbortedException.class, work.failure().orElseThrow());
                }
            });
        }
    }
}
