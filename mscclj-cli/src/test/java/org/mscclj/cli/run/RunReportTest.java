package org.mscclj.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.Sources;

class RunReportTest {
    private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();

    /** A long run prints its progress, so that users see that it still works. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongSizeIsReported() throws InterruptedException {
        PrintWriter err = new PrintWriter(Writer.nullWriter()) {
            @Override
            public void println(@Nullable String line) {
                notes.add(String.valueOf(line));
            }
        };
        RunReport report = new RunReport(new PrintWriter(Writer.nullWriter()), err, Duration.ofMillis(1));
        report.measuring(
                2,
                3,
                new CheckedCall(Collective.ALLREDUCE, 2, false, 256, DataType.FLOAT32, ReduceOp.SUM, Sources.root(0)));
        assertEquals("measuring size 2 of 3: 1024 bytes", notes.poll(50, TimeUnit.SECONDS));
    }
}
