package org.mscclj.runtime.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.LaunchReport;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.execution.context.RankEnvironments;
import org.mscclj.spi.engine.AbortFlag;

/** Rank 0 waits for rank 1 to set a call up with it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LaunchWatchTest {
    /** So often the other is asked that what it said first has been judged. */
    private static final int TIMES = 3;

    @Test
    void whoHasComeMayLaunchBeforeTheOtherLooks() throws Exception {
        CountDownLatch asked = new CountDownLatch(TIMES);
        try (RankEnvironments ranks = new RankEnvironments(2, 2)) {
            ranks.run(environment -> {
                ControlPlane control = environment.control();
                if (control.rank() == 1) {
                    control.barrier(Topic.named("set up"));
                    control.reportLaunches(_ -> {
                        asked.countDown();
                        return LaunchReport.of(1);
                    });
                    return;
                }
                AbortFlag abort = environment.abort();
                try (LaunchWatch _ = new LaunchWatch(environment, () -> "sets up")) {
                    control.barrier(Topic.named("set up"));
                    while (!asked.await(10, TimeUnit.MILLISECONDS)) {
                        assertEquals(Optional.empty(), abort.reason());
                    }
                }
                assertEquals(Optional.empty(), abort.reason());
            });
        }
    }
}
