package org.mscclj.cli.stress.fault;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.DurationText;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.conformance.operation.Step;
import org.mscclj.spi.waiting.Backoff;

/**
 * A scenario in which another thread aborts communicators at random moments, during all operations. The abort must
 * return, all ranks must wake up, and the same threads continue with a new communicator.
 *
 * @param aborts the number of aborts
 */
public record Aborts(int aborts) implements FaultScenario {
    private static final long MAX_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int[] COUNTS = {16, 1024, 65_536};

    /** One abort: its operation, the aborting rank, and its time. */
    private record Case(
            String name, int count, int aborter, long delayNanos, CountDownLatch running, AtomicLong begun) {}

    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result =
                new FaultResult("aborts", "until abort() has returned, and until a rank has woken up", settings);
        List<Case> cases = cases(settings);
        CyclicBarrier together = new CyclicBarrier(settings.ranks());
        try (LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(settings.ranks())
                .ranksPerNode(settings.ranksPerNode())
                .backend(settings.backend())
                .timeout(settings.timeout())
                .name("aborts"))) {
            group.run(communicator -> {
                for (Case next : cases) {
                    useUntilAborted(communicator, next, result);
                    together.await(RankWorld.STEP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                }
            });
        } catch (RuntimeException e) {
            result.failed("aborts", e.toString());
        }
        return result;
    }

    private List<Case> cases(FaultSettings settings) {
        Random random = new Random(settings.seed());
        List<String> names = settings.operations();
        return IntStream.range(0, aborts)
                .mapToObj(i -> new Case(
                        names.get(i % names.size()),
                        COUNTS[random.nextInt(COUNTS.length)],
                        random.nextInt(settings.ranks()),
                        random.nextLong(MAX_DELAY_NANOS),
                        new CountDownLatch(settings.ranks()),
                        new AtomicLong()))
                .toList();
    }

    private static void useUntilAborted(Communicator parent, Case next, FaultResult result)
            throws InterruptedException {
        boolean aborts = parent.rank() == next.aborter;
        List<Integer> all = IntStream.range(0, parent.size()).boxed().toList();
        long closing;
        try (Communicator communicator = parent.split(all, "aborted").orElseThrow()) {
            Optional<Thread> aborter = aborts
                    ? Optional.of(Thread.ofPlatform().daemon().start(() -> abort(communicator, next, result)))
                    : Optional.empty();
            repeat(communicator, next, result);
            if (aborter.isPresent() && !aborter.get().join(RankWorld.STEP_TIMEOUT)) {
                result.failed(next.name, "abort() has not returned within " + DurationText.of(RankWorld.STEP_TIMEOUT));
            }
            closing = System.nanoTime();
        }
        result.most("closing", System.nanoTime() - closing);
    }

    private static void repeat(Communicator communicator, Case next, FaultResult result) {
        try (Step step = Operations.open(next.name, communicator, next.count)) {
            step.run();
            next.running.countDown();
            long end = System.nanoTime() + RankWorld.STEP_TIMEOUT.toNanos();
            while (System.nanoTime() < end) {
                step.run();
            }
            result.failed(
                    next.name,
                    "rank " + communicator.rank() + " continues " + DurationText.of(RankWorld.STEP_TIMEOUT)
                            + " after the abort of the communicator");
            communicator.abort("the abort on purpose did not arrive");
        } catch (AbortedException e) {
            result.took(next.name, System.nanoTime() - next.begun.get());
            if (!String.valueOf(e.getMessage()).contains("on purpose")) {
                result.failed(next.name, "rank " + communicator.rank() + " says " + e);
            }
        }
    }

    private static void abort(Communicator communicator, Case next, FaultResult result) {
        try {
            boolean _ = next.running.await(RankWorld.STEP_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        Backoff.delay(next.delayNanos);
        result.begin();
        long begun = System.nanoTime();
        next.begun.set(begun);
        communicator.abort("on purpose");
        result.took("abort() itself", System.nanoTime() - begun);
    }
}
