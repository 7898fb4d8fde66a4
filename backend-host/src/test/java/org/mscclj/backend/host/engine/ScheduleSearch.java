package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;

/**
 * Looks for a schedule in which a plan gives a wrong result or does not end, on the host engine's own steps.
 *
 * <p>A schedule is a base order, by turns or one actor as far as it gets, in which some actors are held before one of
 * their steps until nobody else can go on. If nothing orders two steps, one base order has them in one order, and
 * holding the first of them gives the other: so every pair of unordered steps is tried in both orders by one hold, and
 * two holds try what needs two such choices at once. All schedules of one hold are tried, and those of two while there
 * are not too many. Plans with pipelines are run with chunks of several sizes.
 */
final class ScheduleSearch {
    /** An actor is held before its step of this number, counted over all launches. */
    private record Hold(int actor, int step) {}

    private enum Base {
        BY_TURNS,
        FIRST_AS_FAR_AS_POSSIBLE,
        LAST_AS_FAR_AS_POSSIBLE
    }

    private static final int MAX_BYTES = 4096;

    private final Plan plan;
    private final SteppedMemory memory;
    private final List<Integer> sizes;
    private int chunkBytes;
    private final long mostSteps;
    /** The only actor that is held; negative if each is. */
    private int held = -1;

    private long steps;
    private long schedules;

    /**
     * A search.
     *
     * @param memory what the runs use
     * @param mostSteps how many steps may be done in all; when they are used up, the search ends
     */
    ScheduleSearch(Plan plan, SteppedMemory memory, long mostSteps) {
        this.plan = plan;
        this.memory = memory;
        this.sizes = sizes(plan);
        this.chunkBytes = sizes.getFirst();
        this.mostSteps = mostSteps;
    }

    /**
     * Bytes of a chunk: with pipelines, of which the longest has from one to several iterations, until semaphores have
     * nothing to spare.
     */
    private static List<Integer> sizes(Plan plan) {
        int least = plan.bufferAlignment() * shares(plan);
        List<Operation.Pipeline> pipelines = plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .filter(Operation.Pipeline.class::isInstance)
                .map(Operation.Pipeline.class::cast)
                .toList();
        if (pipelines.isEmpty()) {
            return List.of(least);
        }
        int credits = plan.ranks().stream()
                .flatMap(rank -> rank.semaphoreInitialValues().stream())
                .mapToInt(value -> value)
                .max()
                .orElse(0);
        long unit =
                pipelines.stream().mapToLong(Operation.Pipeline::unitSize).max().orElseThrow();
        return Stream.of(unit, 3 * unit, (long) least, 2 * unit, (3L + credits) * unit, unit + plan.bufferAlignment())
                .map(bytes -> Math.ceilDiv(bytes, plan.bufferAlignment()) * plan.bufferAlignment())
                .filter(bytes -> bytes <= MAX_BYTES)
                .map(Long::intValue)
                .distinct()
                .toList();
    }

    /** Enough for each block of a group to have elements of its own. */
    private static int shares(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .flatMap(operation -> operation instanceof Operation.Pipeline pipeline
                        ? pipeline.operations().stream()
                        : List.of(operation).stream())
                .filter(Operation.Data.class::isInstance)
                .map(operation -> ((Operation.Data) operation).share())
                .mapToInt(BlockShare::groupSize)
                .max()
                .orElse(1);
    }

    /** How many schedules were run. */
    long schedules() {
        return schedules;
    }

    /** A schedule that goes wrong, and how; nothing if none was found. */
    Optional<String> find() {
        for (int size : sizes) {
            chunkBytes = size;
            for (Base base : Base.values()) {
                Optional<String> found = run(base, List.of());
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        for (int size : sizes) {
            chunkBytes = size;
            Optional<String> found = findHeld();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The same, but only a block's own steps and launches are held. */
    Optional<String> findHolding(int rank, int block) {
        held = plan.worldSize() + block;
        for (RankPlan before : plan.ranks().subList(0, rank)) {
            held += before.threadBlocks().size();
        }
        return find();
    }

    private boolean isHeld(int actor) {
        return held < 0 || held == actor || actor < plan.worldSize();
    }

    private Optional<String> findHeld() {
        List<Hold> holds = holds();
        for (Base base : Base.values()) {
            for (Hold hold : holds) {
                Optional<String> found = run(base, List.of(hold));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        for (int i = 0; i < holds.size(); i++) {
            for (int k = 0; k < holds.size(); k++) {
                if (holds.get(i).actor != holds.get(k).actor) {
                    Optional<String> found = run(Base.BY_TURNS, List.of(holds.get(i), holds.get(k)));
                    if (found.isPresent()) {
                        return found;
                    }
                }
                if (steps > mostSteps) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    private List<Hold> holds() {
        List<Hold> holds = new ArrayList<>();
        try (SteppedRanks ranks = new SteppedRanks(plan, chunkBytes, memory)) {
            for (int actor = 0; actor < ranks.actors(); actor++) {
                for (int step = 0; step < ranks.stepsOf(actor) && isHeld(actor); step++) {
                    holds.add(new Hold(actor, step));
                }
            }
        }
        return holds;
    }

    private Optional<String> run(Base base, List<Hold> holds) {
        if (steps > mostSteps) {
            return Optional.empty();
        }
        schedules++;
        try (SteppedRanks ranks = new SteppedRanks(plan, chunkBytes, memory)) {
            List<Hold> open = new ArrayList<>(holds);
            int[] done = new int[ranks.actors()];
            while (true) {
                boolean moved = pass(ranks, base, open, done);
                moved |= !moved && pass(ranks, base, open, done); // a step that waits may have done a part
                if (ranks.wrong().isPresent()) {
                    return Optional.of("wrong result of " + ranks.wrong().get() + ", " + chunkBytes + " bytes, " + base
                            + ", held " + holds);
                }
                if (!moved && open.isEmpty()) {
                    return ranks.isEnded() ? Optional.empty() : Optional.of("hangs, " + base + ", held " + holds);
                }
                if (!moved) {
                    open.removeFirst();
                }
            }
        }
    }

    private boolean pass(SteppedRanks ranks, Base base, List<Hold> held, int[] done) {
        boolean moved = false;
        int actors = ranks.actors();
        for (int i = 0; i < actors; i++) {
            int actor = base == Base.LAST_AS_FAR_AS_POSSIBLE ? actors - 1 - i : i;
            while (!held.contains(new Hold(actor, done[actor])) && ranks.step(actor) == SteppedRanks.Outcome.DONE) {
                done[actor]++;
                steps++;
                moved = true;
                if (base == Base.BY_TURNS) {
                    break;
                }
            }
        }
        return moved;
    }
}
