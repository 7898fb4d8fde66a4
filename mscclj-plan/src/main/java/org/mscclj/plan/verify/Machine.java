package org.mscclj.plan.verify;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.pairing.ChannelPairing;

/**
 * Runs all ranks of a plan through some launches, one after the other and without waiting for each other between them, with symbolic values. A
 * block that waits is put aside until what it waits for has come, so that the run ends when nothing can go on.
 */
final class Machine {
    private static final int MOST_FINDINGS = 5;

    private final Plan plan;
    private final Scenario scenario;
    private final Values values;
    private final List<Rank> ranks = new ArrayList<>();
    private final List<Agent> agents = new ArrayList<>();
    private final Map<Integer, Block> blocksByAgent = new HashMap<>();
    private final List<ResultCheck> checks = new ArrayList<>();
    private final Deque<Block> runnable = new ArrayDeque<>();
    private final Report report;
    private final Map<ChannelType, ChannelPairing> pairings = new HashMap<>();

    /** One rank on its way through the launches. */
    static final class Rank {
        final RankPlan plan;
        final Memory memory;
        final List<Block> blocks = new ArrayList<>();
        final List<Agent> proxies = new ArrayList<>();
        final Map<ChannelType, Counter[]> counters = new HashMap<>();
        final List<Counter> semaphores = new ArrayList<>();
        final Map<Integer, List<Block>> barriers = new HashMap<>();
        int launch;
        int running;

        /** What preceded the launch. */
        Knowledge begin = Knowledge.none(0);

        /** Who stands for the application between launches. */
        @Nullable
        Agent application;

        Rank(RankPlan plan, Memory memory) {
            this.plan = plan;
            this.memory = memory;
        }

        Agent application() {
            if (application == null) {
                throw new IllegalStateException("rank " + plan.rank() + " has no agent");
            }
            return application;
        }
    }

    Machine(Plan plan, Scenario scenario, Set<OperationAddress> raised) {
        this.plan = plan;
        this.scenario = scenario;
        int inputs = plan.ranks().stream().mapToInt(RankPlan::inputChunks).max().orElse(0);
        this.values =
                new Values(Verifier.LAUNCHES + 1, plan.worldSize(), Math.max(1, inputs * scenario.cellsPerChunk()));
        this.report = new Report(plan, scenario, agents, blocksByAgent);
        int count = plan.ranks().stream()
                .mapToInt(rank -> Math.max(1, rank.threadBlocks().size())
                        + rank.portChannelPeers().size())
                .sum();
        for (ChannelType type : List.of(ChannelType.MEMORY, ChannelType.PORT)) {
            pairings.put(type, ChannelPairing.of(plan, type));
        }
        for (RankPlan rank : plan.ranks()) {
            ranks.add(open(rank, count, raised));
        }
        ranks.forEach(this::declareSignals);
        for (int launch = 0; launch < Verifier.LAUNCHES; launch++) {
            checks.add(new ResultCheck(plan, scenario, values, launch));
        }
    }

    private Rank open(RankPlan plan, int count, Set<OperationAddress> raised) {
        Rank rank = new Rank(plan, new Memory(this.plan, plan, scenario.cellsPerChunk()));
        for (ThreadBlock block : plan.threadBlocks()) {
            Block opened = new Block(agent(plan.rank(), count), plan.rank(), block, raised);
            blocksByAgent.put(opened.agent().index(), opened);
            rank.blocks.add(opened);
        }
        rank.application = rank.blocks.isEmpty()
                ? agent(plan.rank(), count)
                : rank.blocks.getFirst().agent();
        for (int i = 0; i < plan.portChannelPeers().size(); i++) {
            rank.proxies.add(agent(plan.rank(), count));
        }
        pairings.forEach((type, pairing) -> {
            Counter[] counters = new Counter[pairing.slots(plan.rank())];
            for (int i = 0; i < counters.length; i++) {
                counters[i] = new Counter();
            }
            rank.counters.put(type, counters);
        });
        for (int initial : plan.semaphoreInitialValues()) {
            Counter semaphore = new Counter();
            semaphore.startAt(initial);
            rank.semaphores.add(semaphore);
        }
        return rank;
    }

    private Agent agent(int rank, int count) {
        Agent agent = new Agent(agents.size(), rank, count);
        agents.add(agent);
        return agent;
    }

    /** Counts the signals and waits of a launch. */
    private void declareSignals(Rank rank) {
        for (Block block : rank.blocks) {
            for (Operation operation : block.threadBlock().operations()) {
                if (operation instanceof Operation.Pipeline pipeline) {
                    pipeline.operations().forEach(inner -> declareSignals(rank, block, inner, iterations(pipeline)));
                } else {
                    declareSignals(rank, block, operation, 1);
                }
            }
        }
    }

    private void declareSignals(Rank rank, Block block, Operation operation, int times) {
        int agent = block.agent().index();
        switch (operation) {
            case Operation.Signal signal ->
                signal.channelIds()
                        .forEach(id -> partner(rank, block, signal.channelType(), id)
                                .declare(
                                        signaller(rank, block, signal.channelType(), id)
                                                .index(),
                                        times));
            case Operation.SemaphoreRelease release ->
                release.semaphoreIds().forEach(id -> rank.semaphores.get(id).declare(agent, times));
            case Operation.Data data -> {
                if (DataStep.signals(data.kind())) {
                    data.channelIds()
                            .forEach(id -> partner(rank, block, ChannelType.PORT, id)
                                    .declare(
                                            signaller(rank, block, ChannelType.PORT, id)
                                                    .index(),
                                            times));
                }
            }
            case Operation.Wait wait ->
                wait.channelIds()
                        .forEach(id -> counters(rank, wait.channelType())[
                                block.threadBlock().channels(wait.channelType()).get(id)]
                                .declareWaits(times));
            case Operation.SemaphoreAcquire acquire ->
                acquire.semaphoreIds().forEach(id -> rank.semaphores.get(id).declareWaits(times));
            default -> {
                // neither signals nor waits
            }
        }
    }

    /** The counter that a signal on a block's channel raises. */
    Counter partner(Rank rank, Block block, ChannelType type, int id) {
        int channel = block.threadBlock().channels(type).get(id);
        ChannelPairing.Endpoint partner = pairing(type).partner(rank.plan.rank(), channel);
        return counters(ranks.get(partner.rank()), type)[partner.slot()];
    }

    private ChannelPairing pairing(ChannelType type) {
        ChannelPairing pairing = pairings.get(type);
        if (pairing == null) {
            throw new IllegalStateException(type + " channels have no counters");
        }
        return pairing;
    }

    private static Counter[] counters(Rank rank, ChannelType type) {
        Counter[] counters = rank.counters.get(type);
        if (counters == null) {
            throw new IllegalStateException(type + " channels have no counters");
        }
        return counters;
    }

    /** Who signals: the block itself, or the proxy of the port channel. */
    Agent signaller(Rank rank, Block block, ChannelType type, int id) {
        return type == ChannelType.PORT
                ? rank.proxies.get(block.threadBlock().channels(type).get(id))
                : block.agent();
    }

    Values values() {
        return values;
    }

    Scenario scenario() {
        return scenario;
    }

    Rank rank(int rank) {
        return ranks.get(rank);
    }

    Report report() {
        return report;
    }

    void wake(List<Block> waiting) {
        runnable.addAll(waiting);
        waiting.clear();
    }

    int iterations(Operation.Pipeline pipeline) {
        int cells = pipeline.chunks() * scenario.cellsPerChunk();
        return (cells + scenario.cellsPerIteration() - 1) / scenario.cellsPerIteration();
    }

    boolean equalBits() {
        return checks.stream().allMatch(ResultCheck::equalBits);
    }

    /** Runs; what is wrong, if something is. */
    List<Finding> run() {
        ranks.forEach(this::requireEnoughSignals);
        ranks.forEach(this::begin);
        while (!runnable.isEmpty() && report.size() < MOST_FINDINGS) {
            advance(runnable.remove());
        }
        if (report.size() < MOST_FINDINGS) {
            reportWaiting();
        }
        boolean uncertain = ranks.stream()
                .anyMatch(rank -> rank.semaphores.stream().anyMatch(Counter::hasSeveralSignallers)
                        || rank.counters.values().stream()
                                .flatMap(Arrays::stream)
                                .anyMatch(Counter::hasSeveralSignallers));
        return report.findings(uncertain);
    }

    private void requireEnoughSignals(Rank rank) {
        rank.counters.forEach((type, counters) -> {
            for (int id = 0; id < counters.length; id++) {
                if (counters[id].isShort()) {
                    report.tooFewSignals(
                            rank.plan,
                            type.label() + " channel #" + id,
                            "rank " + rank.plan.channelPeers(type).get(id),
                            counters[id]);
                }
            }
        });
        for (int id = 0; id < rank.semaphores.size(); id++) {
            if (rank.semaphores.get(id).isShort()) {
                report.tooFewSignals(rank.plan, "semaphore #" + id, "this rank", rank.semaphores.get(id));
            }
        }
    }

    private void reportWaiting() {
        List<Block> waiting = new ArrayList<>();
        for (Rank rank : ranks) {
            if (rank.launch < Verifier.LAUNCHES) {
                rank.blocks.stream().filter(block -> block.waitsFor() != null).forEach(waiting::add);
            }
        }
        if (!waiting.isEmpty()) {
            report.noProgress(waiting);
        }
    }

    /** The application fills its buffers, and launches. */
    private void begin(Rank rank) {
        Agent application = rank.application();
        application.begin(rank.launch, StepLog.APPLICATION, -1);
        touch(rank, BufferType.OUTPUT);
        touch(rank, BufferType.INPUT);
        application.meet();
        rank.begin = application.tell();
        for (Block block : rank.blocks) {
            learnBegin(block.agent(), rank.begin);
            block.restart();
        }
        rank.proxies.forEach(proxy -> learnBegin(proxy, rank.begin));
        rank.semaphores.forEach(Counter::reset);
        if (rank.launch < Verifier.LAUNCHES) {
            rank.running = rank.blocks.size();
            runnable.addAll(rank.blocks);
            if (rank.blocks.isEmpty()) {
                end(rank);
            }
        }
    }

    private static void learnBegin(Agent agent, Knowledge begin) {
        agent.hear(begin);
        agent.meet();
    }

    /**
     * Writes a buffer anew: inputs of this launch, and nothing into what is to be computed. A plan of collective {@code test} has no caller whose
     * buffers could be touched too early.
     */
    private void touch(Rank rank, BufferType buffer) {
        if (plan.collective() == Collective.TEST) {
            return;
        }
        Cells cells = rank.memory.cells(buffer, rank.launch);
        int chunks = rank.plan.chunks(buffer);
        int offset = rank.memory.offset(buffer);
        boolean whole = plan.inPlace() && buffer == BufferType.OUTPUT;
        int from = whole ? 0 : offset;
        int to = whole ? cells.size() : offset + chunks * scenario.cellsPerChunk();
        for (int cell = from; cell < to; cell++) {
            int value = buffer == BufferType.INPUT
                    ? values.input(rank.launch, rank.plan.rank(), cell - offset)
                    : Values.NOTHING;
            report.add(cells.write(cell, value, rank.application()));
        }
    }

    private void end(Rank rank) {
        Optional<Finding> wrong = checks.get(rank.launch).check(rank.plan, rank.memory);
        wrong.ifPresent(report::add);
        Agent application = rank.application();
        for (Block block : rank.blocks) {
            block.agent().meet();
            application.hear(block.agent().tell());
        }
        for (Agent proxy : rank.proxies) {
            application.hearReads(proxy.index(), proxy.step()); // the end of a launch flushes
        }
        application.meet();
        rank.launch++;
        begin(rank);
    }

    private void advance(Block block) {
        Rank rank = ranks.get(block.rank());
        while (report.size() < MOST_FINDINGS) {
            Operation operation = block.current(this::iterations);
            if (operation == null) {
                rank.running--;
                if (rank.running == 0) {
                    end(rank);
                }
                return;
            }
            if (!perform(rank, block, operation)) {
                return;
            }
            block.advance();
        }
    }

    /** Does an operation; false if the block has to wait. */
    private boolean perform(Rank rank, Block block, Operation operation) {
        return switch (operation) {
            case Operation.Nop() -> {
                block.agent().meet();
                yield true;
            }
            case Operation.Barrier barrier -> meet(rank, block, barrier);
            case Operation.Signal signal -> {
                for (int id : signal.channelIds()) {
                    signal(rank, block, signal.channelType(), id, signal.relaxed());
                }
                yield true;
            }
            case Operation.Wait wait -> await(rank, block, wait);
            case Operation.Flush flush -> {
                for (int id : flush.channelIds()) {
                    flush(rank, block, id);
                }
                yield true;
            }
            case Operation.SemaphoreAcquire acquire -> acquire(rank, block, acquire);
            case Operation.SemaphoreRelease release -> {
                for (int id : release.semaphoreIds()) {
                    Counter semaphore = rank.semaphores.get(id);
                    semaphore.signal(
                            block.agent().index(),
                            new Counter.Signal(block.agent().tell(), false, false, rank.begin));
                    wake(semaphore.waiting());
                }
                yield true;
            }
            case Operation.Data data -> new DataStep(this, rank, block, data).perform();
            case Operation.Pipeline pipeline -> throw new IllegalStateException("pipelines are unrolled");
        };
    }

    private boolean meet(Rank rank, Block block, Operation.Barrier barrier) {
        block.agent().meet();
        List<Block> waiting = rank.barriers.computeIfAbsent(barrier.id(), _ -> new ArrayList<>());
        if (waiting.size() + 1 < barrier.threadBlocks()) {
            waiting.add(block);
            block.waitFor("barrier " + barrier.id() + ", at which " + waiting.size() + " of " + barrier.threadBlocks()
                    + " blocks have met");
            return false;
        }
        Knowledge all = block.agent().tell().copy();
        waiting.forEach(other -> all.learn(other.agent().tell()));
        block.agent().hear(all);
        block.agent().meet();
        for (Block other : waiting) {
            other.agent().hear(all);
            other.agent().meet();
            other.advance();
        }
        wake(waiting);
        return true;
    }

    void signal(Rank rank, Block block, ChannelType type, int id, boolean relaxed) {
        Agent signaller = signaller(rank, block, type, id);
        if (signaller != block.agent()) {
            signaller.hear(block.agent().tell());
            signaller.meet();
        }
        Counter counter = partner(rank, block, type, id);
        boolean orders = !relaxed || type == ChannelType.PORT || block.isRaised();
        counter.signal(signaller.index(), new Counter.Signal(signaller.tell(), !orders, relaxed && orders, rank.begin));
        wake(counter.waiting());
    }

    void flush(Rank rank, Block block, int id) {
        Agent proxy = signaller(rank, block, ChannelType.PORT, id);
        block.agent().hearReads(proxy.index(), proxy.step());
    }

    private boolean await(Rank rank, Block block, Operation.Wait wait) {
        while (block.done() < wait.channelIds().size()) {
            int channel = block.threadBlock()
                    .channels(wait.channelType())
                    .get(wait.channelIds().get(block.done()));
            Counter counter = counters(rank, wait.channelType())[channel];
            if (!counter.isReached()) {
                counter.waiting().add(block);
                int peer = rank.plan.channelPeers(wait.channelType()).get(channel);
                block.waitFor("signal " + counter.next() + " of rank " + peer + " on "
                        + wait.channelType().label() + " channel #" + channel + ", which has sent "
                        + counter.raised());
                return false;
            }
            for (Counter.Signal signal : counter.take()) {
                hear(block, signal, wait.relaxed());
            }
            block.oneMoreDone();
        }
        return true;
    }

    private static void hear(Block block, Counter.Signal signal, boolean relaxedWait) {
        if (signal.relaxed() || (relaxedWait && !signal.raised())) {
            block.agent().hear(signal.begin());
            block.agent().hearReads(signal.known());
        } else {
            block.agent().hear(signal.known());
        }
    }

    private boolean acquire(Rank rank, Block block, Operation.SemaphoreAcquire acquire) {
        while (block.done() < acquire.semaphoreIds().size()) {
            int id = acquire.semaphoreIds().get(block.done());
            Counter semaphore = rank.semaphores.get(id);
            if (!semaphore.isReached()) {
                semaphore.waiting().add(block);
                block.waitFor("semaphore " + id + ", which has been released " + semaphore.raised() + " times, to be"
                        + " released once more");
                return false;
            }
            for (Counter.Signal signal : semaphore.take()) {
                block.agent().hear(signal.known());
            }
            block.oneMoreDone();
        }
        return true;
    }
}
