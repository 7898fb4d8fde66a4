package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verify.order.ContestedCounters;
import org.mscclj.analysis.verify.size.CheckedSize;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.pairing.ChannelPairing;

/** The counters of all ranks, the counter that each signal raises, and the signals and waits of each launch. */
final class Wiring {
    private final Plan plan;
    private final CheckedSize scenario;
    private final Map<ChannelType, ChannelPairing> pairings = new EnumMap<>(ChannelType.class);

    /** For each type, the counters of each rank. */
    private final Map<ChannelType, List<Counter[]>> counters = new EnumMap<>(ChannelType.class);

    private final List<List<Counter>> semaphores = new ArrayList<>();
    private int numbers;

    Wiring(Plan plan, CheckedSize scenario, ContestedCounters contested) {
        this.plan = plan;
        this.scenario = scenario;
        for (ChannelType type : List.of(ChannelType.MEMORY, ChannelType.PORT)) {
            ChannelPairing pairing = ChannelPairing.of(plan, type);
            pairings.put(type, pairing);
            List<Counter[]> ofType = new ArrayList<>();
            for (RankPlan rank : plan.ranks()) {
                Counter[] ofRank = new Counter[pairing.slots(rank.rank())];
                for (int slot = 0; slot < ofRank.length; slot++) {
                    ofRank[slot] = new Counter(numbers++, contested.channel(rank.rank(), type, slot));
                }
                ofType.add(ofRank);
            }
            counters.put(type, ofType);
        }
        for (RankPlan rank : plan.ranks()) {
            List<Counter> ofRank = new ArrayList<>();
            for (int id = 0; id < rank.semaphoreInitialValues().size(); id++) {
                Counter semaphore = contested.isLock(rank.rank(), id)
                        ? Counter.lock(numbers++)
                        : new Counter(numbers++, contested.semaphore(rank.rank(), id));
                semaphore.startAt(rank.semaphoreInitialValues().get(id));
                ofRank.add(semaphore);
            }
            semaphores.add(ofRank);
        }
    }

    List<Counter> semaphores(int rank) {
        return semaphores.get(rank);
    }

    /**
     * The channel ends of a block.
     *
     * @param agent the agent of the block
     * @param proxies the proxies of its rank
     */
    ChannelEnds ends(int rank, ThreadBlock block, ChannelType type, Agent agent, List<Agent> proxies) {
        int[] channels =
                block.channels(type).stream().mapToInt(Integer::intValue).toArray();
        Counter[] awaited = new Counter[channels.length];
        Counter[] raised = new Counter[channels.length];
        Agent[] signallers = new Agent[channels.length];
        for (int id = 0; id < channels.length; id++) {
            ChannelPairing.Endpoint partner = of(pairings, type).partner(rank, channels[id]);
            awaited[id] = of(counters, type).get(rank)[channels[id]];
            raised[id] = of(counters, type).get(partner.rank())[partner.slot()];
            signallers[id] = type == ChannelType.PORT ? proxies.get(channels[id]) : agent;
        }
        return new ChannelEnds(type, channels, awaited, raised, signallers);
    }

    /** Declares the signals and waits of a block in a launch. */
    void declare(Block block) {
        for (Operation operation : block.threadBlock().operations()) {
            if (operation instanceof Operation.Pipeline pipeline) {
                int times = scenario.iterations(pipeline);
                pipeline.operations().forEach(inner -> declare(block, inner, times));
            } else {
                declare(block, operation, 1);
            }
        }
    }

    private void declare(Block block, Operation operation, int times) {
        List<Counter> own = semaphores.get(block.rank());
        switch (operation) {
            case Operation.Signal signal ->
                declareSignals(block.ends(signal.channelType()), signal.channelIds(), times);
            case Operation.SemaphoreRelease release ->
                release.semaphoreIds()
                        .forEach(id -> own.get(id).declare(block.agent().index(), times));
            case Operation.Data data -> {
                if (data.kind().signals()) {
                    declareSignals(block.ends(ChannelType.PORT), data.channelIds(), times);
                }
            }
            case Operation.Wait wait -> {
                ChannelEnds ends = block.ends(wait.channelType());
                wait.channelIds().forEach(id -> ends.awaited(id).declareWaits(times));
            }
            case Operation.SemaphoreAcquire acquire ->
                acquire.semaphoreIds().forEach(id -> own.get(id).declareWaits(times));
            default -> {
                // neither signals nor waits
            }
        }
    }

    private static void declareSignals(ChannelEnds ends, List<Integer> ids, int times) {
        ids.forEach(id -> ends.raised(id).declare(ends.signaller(id).index(), times));
    }

    /** Reports counters on which a launch waits more often than it signals. */
    void reportShort(FaultReport report) {
        for (RankPlan rank : plan.ranks()) {
            counters.forEach((type, ofType) -> {
                Counter[] ofRank = ofType.get(rank.rank());
                for (int id = 0; id < ofRank.length; id++) {
                    if (ofRank[id].isShort()) {
                        report.tooFewSignals(
                                rank,
                                type.label() + " channel #" + id,
                                "rank " + rank.channelPeers(type).get(id),
                                ofRank[id]);
                    }
                }
            });
            List<Counter> ofRank = semaphores.get(rank.rank());
            for (int id = 0; id < ofRank.size(); id++) {
                if (ofRank.get(id).isShort()) {
                    report.tooFewReleases(rank, id, ofRank.get(id));
                }
            }
        }
    }

    /** Describes a counter that has waits and several signallers; null if there is none. */
    @Nullable
    String severalSignallers() {
        String channel = firstChannel(counter -> counter.waitsPerLaunch() > 0 && counter.hasSeveralSignallers());
        if (channel != null) {
            return "several blocks signal " + channel;
        }
        for (RankPlan rank : plan.ranks()) {
            List<Counter> ofRank = semaphores.get(rank.rank());
            for (int id = 0; id < ofRank.size(); id++) {
                Counter semaphore = ofRank.get(id);
                if (semaphore.waitsPerLaunch() > 0 && semaphore.hasSeveralSignallers() && !semaphore.isLock()) {
                    return "several blocks release semaphore #" + id + " of rank " + rank.rank();
                }
            }
        }
        return null;
    }

    /** A channel end with more signals than waits in a launch, so that its waits lag behind; empty if there is none. */
    Optional<Finding> surplus() {
        String channel = firstChannel(
                counter -> counter.waitsPerLaunch() > 0 && counter.signalsPerLaunch() > counter.waitsPerLaunch());
        return channel == null
                ? Optional.empty()
                : Optional.of(new Finding(
                        Finding.Kind.UNDECIDED,
                        "each launch signals " + channel
                                + " more often than it waits there: surplus signals let waits of"
                                + " later launches pass too early, and the consequences were not followed;"
                                + " match every signal by a wait"));
    }

    /** Describes the first channel end whose counter meets a condition. */
    private @Nullable String firstChannel(Predicate<Counter> condition) {
        for (RankPlan rank : plan.ranks()) {
            for (ChannelType type : List.of(ChannelType.MEMORY, ChannelType.PORT)) {
                Counter[] ofRank = of(counters, type).get(rank.rank());
                for (int id = 0; id < ofRank.length; id++) {
                    if (condition.test(ofRank[id])) {
                        return type.label() + " channel #" + id + " of rank " + rank.rank();
                    }
                }
            }
        }
        return null;
    }

    private static <V> V of(Map<ChannelType, V> map, ChannelType type) {
        V found = map.get(type);
        if (found == null) {
            throw new IllegalStateException(type + " channels have no counters");
        }
        return found;
    }
}
