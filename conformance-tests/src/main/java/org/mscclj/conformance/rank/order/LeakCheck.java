package org.mscclj.conformance.rank.order;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.operation.Operations;
import org.mscclj.conformance.operation.Step;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.resource.ProcessResources;

/**
 * Checks that closed communicators release their resources. Each round opens communicators, runs every operation, and
 * closes them. After a first round, which may fill caches, the process must not hold more, and the device must not have
 * less free memory. A resource that grows once was started meanwhile; a resource that grows twice leaks. {@code mscclj
 * stress --scenario many} and soaks find smaller leaks, over a longer time.
 */
final class LeakCheck implements RankCheck {
    private static final int ROUNDS = 2;
    private static final int COUNT = 64;

    /** The part of an operation's timeout within which threads and files must end. */
    private static final int SETTLING = 4;

    /**
     * The device memory that other programs may allocate meanwhile. If every communicator left its smallest allocation,
     * that would be more.
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

    /** Returns what has grown during some rounds. */
    private static List<String> growth(RankContext context, Held before) {
        for (int round = 0; round < ROUNDS; round++) {
            round(context);
        }
        context.communicator().barrier(); // no rank opens anything while another rank measures
        ProcessResources after =
                ProcessResources.settled(before.process, context.timeout().dividedBy(SETTLING));
        List<String> growth = new ArrayList<>(after.growthSince(before.process));
        OptionalLong free = context.communicator().device().freeMemory();
        if (before.free.isPresent() && free.orElse(0) < before.free.getAsLong() - DEVICE_SLACK) {
            growth.add(free + " free bytes on the device, where there were " + before.free.getAsLong());
        }
        return growth;
    }

    /**
     * The resources that are held while no rank opens anything.
     *
     * @param process the resources of this process
     * @param free free memory of the device, in bytes
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

    /** Opens and closes a communicator for each operation. */
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
