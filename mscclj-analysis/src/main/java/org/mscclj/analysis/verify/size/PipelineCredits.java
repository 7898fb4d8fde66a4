package org.mscclj.analysis.verify.size;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.pairing.ChannelPairing;

/**
 * Counts the spare signals of the counters that pipelines wait for: initial values of semaphores, and signals outside
 * of pipelines that no wait outside of pipelines takes. That many iterations run without a signal from any block; only
 * a longer pipeline shows whether the signals of a launch suffice.
 */
final class PipelineCredits {
    /** A counter that some agents raise and blocks wait for. */
    private record Key(String type, int rank, int id) {}

    private static final String SEMAPHORE = "semaphore";

    private final Map<ChannelType, ChannelPairing> pairings;
    private final Map<Key, Long> spare = new HashMap<>();
    private final Set<Key> waitedFor = new HashSet<>();

    private PipelineCredits(Plan plan) {
        this.pairings = Map.of(
                ChannelType.MEMORY,
                ChannelPairing.of(plan, ChannelType.MEMORY),
                ChannelType.PORT,
                ChannelPairing.of(plan, ChannelType.PORT));
    }

    /** The spare signals of all such counters of a plan together. */
    static long of(Plan plan) {
        PipelineCredits credits = new PipelineCredits(plan);
        plan.ranks().forEach(credits::add);
        return credits.waitedFor.stream()
                .mapToLong(key -> Math.max(0, credits.spare.getOrDefault(key, 0L)))
                .sum();
    }

    private void add(RankPlan rank) {
        for (int id = 0; id < rank.semaphoreInitialValues().size(); id++) {
            count(
                    new Key(SEMAPHORE, rank.rank(), id),
                    rank.semaphoreInitialValues().get(id));
        }
        for (ThreadBlock block : rank.threadBlocks()) {
            for (Operation operation : block.operations()) {
                if (operation instanceof Operation.Pipeline pipeline) {
                    pipeline.operations().forEach(inner -> waitedFor.addAll(waits(rank, block, inner)));
                } else {
                    waits(rank, block, operation).forEach(key -> count(key, -1));
                    signals(rank, block, operation).forEach(key -> count(key, 1));
                }
            }
        }
    }

    private void count(Key key, int signals) {
        spare.merge(key, (long) signals, Long::sum);
    }

    private static List<Key> waits(RankPlan rank, ThreadBlock block, Operation operation) {
        return switch (operation) {
            case Operation.Wait wait ->
                wait.channelIds().stream()
                        .map(id -> new Key(
                                wait.channelType().label(),
                                rank.rank(),
                                block.channels(wait.channelType()).get(id)))
                        .toList();
            case Operation.SemaphoreAcquire acquire -> semaphores(rank, acquire.semaphoreIds());
            default -> List.of();
        };
    }

    private List<Key> signals(RankPlan rank, ThreadBlock block, Operation operation) {
        return switch (operation) {
            case Operation.Signal signal -> raised(rank, block, signal.channelType(), signal.channelIds());
            case Operation.SemaphoreRelease release -> semaphores(rank, release.semaphoreIds());
            case Operation.Data data
            when data.kind().signals() -> raised(rank, block, ChannelType.PORT, data.channelIds());
            default -> List.of();
        };
    }

    private static List<Key> semaphores(RankPlan rank, List<Integer> ids) {
        return ids.stream().map(id -> new Key(SEMAPHORE, rank.rank(), id)).toList();
    }

    private List<Key> raised(RankPlan rank, ThreadBlock block, ChannelType type, List<Integer> ids) {
        ChannelPairing pairing = pairings.get(type);
        if (pairing == null) {
            throw new IllegalStateException("no signals go through " + type.label() + " channels");
        }
        return ids.stream()
                .map(id -> pairing.partner(rank.rank(), block.channels(type).get(id)))
                .map(partner -> new Key(type.label(), partner.rank(), partner.slot()))
                .toList();
    }
}
