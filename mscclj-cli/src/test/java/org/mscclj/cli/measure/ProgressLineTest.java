package org.mscclj.cli.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProgressLineTest {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final PrintWriter notes = new PrintWriter(Writer.nullWriter()) {
        @Override
        public void println(@Nullable String line) {
            lines.add(String.valueOf(line));
        }
    };

    @Test
    void withoutDelayEachStepIsPrintedAtOnce() {
        ProgressLine progress = new ProgressLine(notes, Duration.ZERO);
        progress.begin("first");
        progress.begin("second");
        assertEquals("first", lines.poll());
        assertEquals("second", lines.poll());
    }

    @Test
    void aLongStepIsPrinted() throws InterruptedException {
        new ProgressLine(notes, Duration.ofMillis(1)).begin("late");
        assertEquals("late", lines.poll(50, TimeUnit.SECONDS));
    }

    /** The printing thread ends with the result: otherwise this test takes ten minutes. */
    @Test
    void aStepWithAResultIsNotPrinted() {
        ProgressLine progress = new ProgressLine(notes, Duration.ofMinutes(10));
        progress.begin("quick");
        progress.end();
        CountDownLatch over = new CountDownLatch(1);
        over.countDown();
        progress.tellLate("quick", over);
        assertEquals(0, lines.size(), lines::toString);
    }
}
