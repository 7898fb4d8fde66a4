package org.mscclj.conformance.rank;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.conformance.operation.Step;
import org.mscclj.conformance.resource.ProcessResources;

/**
 * Communicators are opened, make every operation, and are closed. After the first of them, which may leave what is kept
 * for the next, the process comes to hold no more, and the device to have less memory: what grows once has been started
 * meanwhile, what grows twice leaks. {@code mscclj stress --scenario many} and soaks look for less, over a longer time.
 */
final class LeakCheck implements RankCheck {
    private static final int ROUNDS = 2;
    private static final int COUNT = 64;

    /** How long threads and files may take to end. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /**
     * What others may take of the device's memory meanwhile; what every communicator left of the least size that there
     * is would be more.
     */
    private static final long DEVICE_SLACK = 32L << 20;

    @Override
    public void check(RankContext context) {
        round(context);
        Held first = Held.now(context);
        List<String> once = growth(context, first);
        Held second = Held.now(context);
        List<String> twice = growth(context, second);
        if (!once.isEmpty() && !twice.isEmpty()) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "after " + ROUNDS + " rounds of communicators that were closed, there are " + once + "; and after "
                            + ROUNDS + " more, " + twice);
        }
    }

    /** What has grown by some rounds. */
    private static List<String> growth(RankContext context, Held before) {
        for (int round = 0; round < ROUNDS; round++) {
            round(context);
        }
        context.communicator().barrier(); // nobody opens anything while somebody looks
        ProcessResources after = ProcessResources.settled(before.process, SETTLING);
        List<String> growth = new ArrayList<>(after.growthSince(before.process));
        OptionalLong free = context.communicator().device().freeMemory();
        if (before.free.isPresent() && free.orElse(0) < before.free.getAsLong() - DEVICE_SLACK) {
            growth.add(free + " free bytes on the device, where there were " + before.free.getAsLong());
        }
        return growth;
    }

    /**
     * What is held while no rank opens anything.
     *
     * @param process by this process
     * @param free bytes of the device's memory that nobody holds
     */
    private record Held(ProcessResources process, OptionalLong free) {
        static Held now(RankContext context) {
            context.communicator().barrier();
            Held held = new Held(
                    ProcessResources.now(), context.communicator().device().freeMemory());
            context.communicator().barrier();
            return held;
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
