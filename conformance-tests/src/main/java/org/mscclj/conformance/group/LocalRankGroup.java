package org.mscclj.conformance.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.error.AbortedException;
import org.mscclj.conformance.rank.Finding;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankRun;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.TestCase;

/** Ranks that are threads of this process. A rank that hangs is left behind in its daemon thread. */
public final class LocalRankGroup implements RankGroup {
    /** Operations, each with its own timeout, that a case waits for at most. */
    private static final int OPERATIONS = 4;

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final LocalGroup group;
    private final Duration timeout;
    private boolean usable = true;

    /**
     * A group over a local group, which it closes.
     *
     * @param timeout what an operation may take
     */
    public LocalRankGroup(LocalGroup group, Duration timeout) {
        this.group = group;
        this.timeout = timeout;
    }

    @Override
    public List<RankVerdict> run(TestCase test, RankCheck check) {
        List<CompletableFuture<RankVerdict>> verdicts = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            Communicator communicator = group.communicator(rank);
            verdicts.add(inThread("conformance-rank-" + rank, () -> RankRun.run(communicator, test, check, timeout)));
        }
        long end =
                System.nanoTime() + timeout.multipliedBy(OPERATIONS).plus(GRACE).toNanos();
        for (CompletableFuture<RankVerdict> verdict : verdicts) {
            if (!endsBy(verdict, end)) {
                group.abort("conformance: a rank did not return from " + test.line());
                end = Math.min(end, System.nanoTime() + GRACE.toNanos());
            }
        }
        List<RankVerdict> collected = new ArrayList<>();
        for (int rank = 0; rank < group.size(); rank++) {
            collected.add(endsBy(verdicts.get(rank), end) ? verdicts.get(rank).join() : hung(rank));
        }
        usable = !group.communicator(0).isAborted();
        return collected;
    }

    @FunctionalInterface
    private interface Task<T> {
        T run();
    }

    private static <T> CompletableFuture<T> inThread(String name, Task<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                result.complete(task.run());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Whether it ends before a moment of {@link System#nanoTime}. */
    private static boolean endsBy(CompletableFuture<?> task, long end) {
        try {
            task.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while ranks were running", e);
        }
    }

    private static RankVerdict hung(int rank) {
        return new RankVerdict(
                rank, 0, List.of(new Finding(FindingKind.HUNG, "did not return, nor after the group was aborted")));
    }

    @Override
    public boolean isUsable() {
        return usable;
    }

    @Override
    public void close() {
        usable = false;
        CompletableFuture<Boolean> closed = inThread("conformance-close", () -> {
            group.close();
            return true;
        });
        if (endsBy(closed, System.nanoTime() + timeout.plus(GRACE).toNanos()) && !closed.isCompletedExceptionally()) {
            return;
        }
        group.abort("conformance: closing took too long, or failed");
    }
}
