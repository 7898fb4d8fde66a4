package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.UniqueId;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.bootstrap.Bootstrap;
import org.mscclj.runtime.bootstrap.RankThreads;
import org.mscclj.runtime.execution.environment.ExecutorOptions;
import org.mscclj.runtime.process.RankProcess;
import org.mscclj.runtime.settings.GroupHints;

/** A communicator that is not connected in time. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LateConnectionTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /**
     * Long enough for all that comes before somebody is late, also where the machine stands still for seconds; the test
     * takes as long.
     */
    private static final Duration SHORT = Duration.ofSeconds(8);

    @Test
    void allHearWhoIsMissingFromTheFirstWhoseTimeIsOver() throws Exception {
        WatchedDevices devices = new WatchedDevices();
        UniqueId id = UniqueId.create();
        CountDownLatch told = new CountDownLatch(2);
        devices.whenAllocating(0, () -> {
            try {
                told.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        RankThreads.run(3, rank -> {
            CommunicatorOptions options =
                    CommunicatorOptions.rank(rank, 3).uniqueId(id).timeout(LONG);
            var sockets = Bootstrap.connect(options);
            OperationTimeoutException e = assertThrows(
                    OperationTimeoutException.class,
                    () -> RankProcess.open(
                            options.timeout(rank == 2 ? SHORT : LONG),
                            ExecutorOptions.DEFAULT,
                            GroupHints.none(),
                            devices.provider(),
                            sockets));
            assertEquals(List.of(0), e.missingRanks(), e::getMessage);
            if (rank != 2) { // which has found it out itself
                assertTrue(String.valueOf(e.getMessage()).contains("was not set up"), e::getMessage);
            }
            told.countDown();
        });
    }
}
