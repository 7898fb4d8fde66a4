package org.mscclj.cli.run;

import java.time.Duration;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.cli.check.CallShape;

/**
 * A group of ranks on which calls are prepared, checked and timed one after another. Each phase runs on all ranks and ends on all
 * ranks before the next begins, so that no rank waits for another while something slow and legitimate goes on.
 */
final class PlanSession implements AutoCloseable {
    /** How long ranks may take to end after an abort. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final LocalGroup group;
    private final Duration timeout;
    private final LaunchDelay delay;
    private boolean failed;

    private PlanSession(LocalGroup group, Duration timeout, LaunchDelay delay) {
        this.group = group;
        this.timeout = timeout;
        this.delay = delay;
    }

    static PlanSession open(LocalGroupOptions options, LaunchDelay delay) {
        return new PlanSession(LocalGroup.open(options), options.timeout(), delay);
    }

    /** Allocates buffers and prepares a call on all ranks. */
    PreparedCall prepare(CallShape shape) {
        PreparedCall call = new PreparedCall(this, shape);
        try {
            call.prepare();
        } catch (RuntimeException | Error e) {
            call.abandon(e);
            throw e;
        }
        return call;
    }

    int ranks() {
        return group.size();
    }

    Duration timeout() {
        return timeout;
    }

    LaunchDelay delay() {
        return delay;
    }

    /**
     * Runs a task on all ranks.
     *
     * @param operations how many operations, each with its own timeout, the task waits for at most
     */
    void onAllRanks(String what, int operations, LocalGroup.RankTask task) {
        failed = true;
        supervise(what, () -> group.run(task), timeout.multipliedBy(operations).plus(GRACE));
        failed = false;
    }

    /** Frees something that may wait for operations in flight; after a failure these were aborted, and it must not take long. */
    void free(String what, Runnable task) {
        supervise(what, task, failed ? GRACE : timeout.plus(GRACE));
    }

    private void supervise(String what, Runnable task, Duration limit) {
        Supervisor.run(what, task, limit, () -> group.abort(what + " took too long"), GRACE);
    }

    @Override
    public void close() {
        free("close", group::close);
    }
}
