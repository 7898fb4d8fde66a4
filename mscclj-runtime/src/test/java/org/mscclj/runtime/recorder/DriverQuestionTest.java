package org.mscclj.runtime.recorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a driver is asked that answers late. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DriverQuestionTest {
    private final AtomicInteger times = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);

    private int number() {
        int number = times.incrementAndGet();
        try {
            over.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return number;
    }

    @Test
    void whatIsOpenIsNotAskedAgain() {
        DriverQuestion<Integer> question = new DriverQuestion<>(this::number);
        for (int i = 0; i < 5; i++) {
            assertEquals(Optional.empty(), question.ask(Duration.ZERO));
        }
        over.countDown();
        // where the answer has come meanwhile it is out of date
        int answer = question.ask(TestRecorders.TIMEOUT).orElseThrow();
        assertEquals(times.get(), answer);
        assertEquals(Optional.of(answer + 1), question.ask(TestRecorders.TIMEOUT));
    }

    @Test
    void whatFailsLateIsToldToWhoAsksNext() {
        DriverQuestion<Integer> question = new DriverQuestion<>(() -> {
            int number = number();
            if (number == 1) {
                throw new IllegalStateException("on purpose");
            }
            return number;
        });
        assertEquals(Optional.empty(), question.ask(Duration.ZERO));
        over.countDown();
        assertThrows(IllegalStateException.class, () -> question.ask(TestRecorders.TIMEOUT));
        assertEquals(Optional.of(2), question.ask(TestRecorders.TIMEOUT));
    }
}
