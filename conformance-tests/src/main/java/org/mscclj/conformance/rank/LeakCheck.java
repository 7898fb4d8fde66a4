package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.OptionalLong;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.conformance.operation.Step;
import org.mscclj.conformance.resource.ProcessResources;

/**
 * Communicators are opened, make every operation, and are closed: after the first of them, which may leave what is kept for the next, the process holds no more, and the device gives
 * as much memory. {@code mscclj stress --scenario many} and soaks look for less, over a longer time.
 */
final class LeakCheck implements RankCheck {
    private static final int ROUNDS = 3;
    private static final int COUNT = 64;
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /** What others may take of the device's memory meanwhile; what every communicator left of the least size that there is would be more. */
    private static final long DEVICE_SLACK = 32L << 20;

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        round(context);
        communicator.barrier(); // nobody opens anything while somebody looks
        ProcessResources before = ProcessResources.now();
        OptionalLong freeBefore = communicator.device().freeMemory();
        communicator.barrier();
        for (int round = 0; round < ROUNDS; round++) {
            round(context);
        }
        communicator.barrier();
        ProcessResources.settled(before, SETTLING)
                .growthSince(before)
                .forEach(growth -> context.report(
                        FindingKind.BEHAVIOUR,
                        "after " + ROUNDS + " rounds of communicators that were closed, there are " + growth));
        requireMemory(context, freeBefore, communicator.device().freeMemory());
        communicator.barrier();
    }

    private static void requireMemory(RankContext context, OptionalLong before, OptionalLong after) {
        if (before.isPresent() && after.orElse(0) < before.getAsLong() - DEVICE_SLACK) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "after " + ROUNDS + " rounds of communicators that were closed, " + after
                            + " bytes of the device's memory are free, where there were " + before.getAsLong());
        }
    }

    /** A communicator for each operation. */
    private static void round(RankContext context) {
        for (String name : Operations.names()) {
            try (Communicator second = context.second();
                    Step step = Operations.open(name, second, COUNT)) {
                step.run();
            } catch (UnsupportedException e) {
                if (Operations.needs(name).isEmpty()) {
                    throw e;
                }
            }
        }
    }
}
