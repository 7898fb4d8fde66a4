package org.mscclj.runtime.collective;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.thread.ControlThreads;

/**
 * Checks, while a rank waits for other ranks to set up a call with it, whether some of them have launched instead.
 * Those ranks have made another call, which was set up before, and never come to this set-up. Their launches never end,
 * because this rank takes no part in them. The watch therefore aborts the communicator, which ends all waits at once.
 */
final class LaunchWatch implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** From twice this number of ranks on, a rank asks less often, because each rank asks all others. */
    private static final int MANY = 16;

    private final ExecutionEnvironment environment;
    private final Supplier<String> complaint;
    private final long launches;

    /**
     * The number of this rank's next collective call. A rank that has come to it makes an equal call, and may launch
     * before this rank checks again.
     */
    private final long call;

    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * Begins to watch.
     *
     * @param complaint what this rank does differently from the other ranks
     */
    LaunchWatch(ExecutionEnvironment environment, Supplier<String> complaint) {
        this.environment = environment;
        this.complaint = complaint;
        this.launches = environment.order().shared();
        this.call = environment.control().nextCall();
        ControlThreads.execute(this::watch);
    }

    private void watch() {
        ControlPlane control = environment.control();
        List<Integer> peers = IntStream.range(0, control.size())
                .filter(peer -> peer != control.rank())
                .boxed()
                .toList();
        Duration pause = PAUSE.multipliedBy(Math.max(1, control.size() / MANY));
        try {
            while (!over.await(pause.toMillis(), TimeUnit.MILLISECONDS)
                    && !environment.abort().isSet()) {
                List<Integer> ahead = ahead(control.launchesOf(peers, pause));
                if (!ahead.isEmpty() && over.getCount() > 0) { // after the wait, ranks may be ahead without error
                    environment
                            .abort()
                            .fail("rank " + control.rank() + " " + complaint.get() + ", while ranks " + ahead
                                    + " have launched a call that was set up before"
                                    + "; all ranks must make the same calls in the same order");
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no thread interrupts this one
        }
    }

    private List<Integer> ahead(Map<Integer, Long> others) {
        return others.entrySet().stream()
                .filter(peer -> peer.getValue() > launches)
                .map(Map.Entry::getKey)
                .filter(peer -> !environment.control().hasCome(peer, call))
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        over.countDown();
    }
}
