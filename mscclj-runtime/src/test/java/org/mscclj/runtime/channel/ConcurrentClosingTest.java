package org.mscclj.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.mscclj.runtime.channel.ChannelPair.Side;

/**
 * The thread of the last rank that closes its communicator frees what all ranks have made. A rank that closes its own
 * channels at that moment, after its communicator, must not hear that they are in use.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConcurrentClosingTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @RepeatedTest(200)
    void partsAreClosedByTheirRankWhileTheLastRankClosesItsCommunicator() throws Exception {
        ChannelPair pair = new ChannelPair(TIMEOUT);
        pair.group().communicator(1).close();
        CyclicBarrier start = new CyclicBarrier(2);
        FutureTask<Void> last = task(start, () -> pair.group().communicator(0).close());
        FutureTask<Void> own = task(start, () -> closeAll(pair.side(1)));
        for (FutureTask<Void> task : List.of(last, own)) {
            assertDoesNotThrow(() -> task.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
        }
        pair.close();
    }

    private static FutureTask<Void> task(CyclicBarrier start, Runnable closing) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            start.await();
            closing.run();
            return null;
        });
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private static void closeAll(Side side) {
        side.port().close();
        side.memory().close();
        side.portSemaphore().close();
        side.memorySemaphore().close();
        side.portSemaphore().connection().close();
        side.memorySemaphore().connection().close();
        side.peers().close();
        side.own().close();
    }
}
