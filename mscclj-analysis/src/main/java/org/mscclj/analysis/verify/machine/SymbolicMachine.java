package org.mscclj.analysis.verify.machine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verify.order.ContestedCounters;
import org.mscclj.analysis.verify.order.ProxyClocks;
import org.mscclj.analysis.verify.order.ServiceOrder;
import org.mscclj.analysis.verify.size.CheckedSize;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * Executes all ranks of a plan with symbolic values over several consecutive launches, with no synchronisation between
 * launches. A block that waits is suspended until its condition holds; the run ends when no block can continue.
 */
public final class SymbolicMachine {
    private final CheckedSize scenario;
    private final int launches;
    private final ServiceOrder order;
    private final Values values;
    private final Wiring wiring;
    private final ProxyClocks proxyClocks;
    private final FaultReport report;
    private final Application application;
    private final BlockWaits waits = new BlockWaits(this);
    private final List<Agent> agents = new ArrayList<>();
    private final List<SymbolicRank> ranks = new ArrayList<>();
    private final Deque<Block> runnable = new ArrayDeque<>();
    private int shortages;

    /**
     * Creates the machine before the first launch.
     *
     * @param launches launches of each rank
     * @param raised relaxed signals that engines raise to full ones
     * @param contested counters on which several blocks wait
     * @param order decides which block a contested counter serves
     */
    public SymbolicMachine(
            Plan plan,
            CheckedSize scenario,
            int launches,
            Set<OperationAddress> raised,
            ContestedCounters contested,
            ServiceOrder order) {
        this.scenario = scenario;
        this.launches = launches;
        this.order = order;
        int inputs = plan.ranks().stream().mapToInt(RankPlan::inputChunks).max().orElse(0);
        this.values = new Values(launches + 1, plan.worldSize(), Math.max(1, inputs * scenario.cellsPerChunk()));
        this.report = new FaultReport(plan, scenario, agents);
        this.wiring = new Wiring(plan, scenario, contested);
        this.application = new Application(plan, scenario, launches, values, report);
        this.proxyClocks = new ProxyClocks(
                plan.ranks().stream().mapToInt(SymbolicMachine::blocks).sum(),
                plan.ranks().stream()
                        .mapToInt(rank -> rank.portChannelPeers().size())
                        .sum());
        List<List<Agent>> ofBlocks = plan.ranks().stream()
                .map(rank -> agents(rank.rank(), blocks(rank)))
                .toList();
        List<List<Agent>> proxies = plan.ranks().stream()
                .map(rank -> agents(rank.rank(), rank.portChannelPeers().size()))
                .toList();
        for (RankPlan rank : plan.ranks()) {
            ranks.add(open(plan, rank, ofBlocks.get(rank.rank()), proxies.get(rank.rank()), raised));
        }
        ranks.forEach(rank -> rank.blocks().forEach(wiring::declare));
    }

    /** A rank without blocks has one agent, which represents its application. */
    private static int blocks(RankPlan rank) {
        return Math.max(1, rank.threadBlocks().size());
    }

    /** Creates the next agents. All blocks precede the proxies. */
    private List<Agent> agents(int rank, int count) {
        List<Agent> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(new Agent(agents.size() + i, rank, proxyClocks));
        }
        agents.addAll(made);
        return made;
    }

    private SymbolicRank open(
            Plan plan, RankPlan rank, List<Agent> ofBlocks, List<Agent> proxies, Set<OperationAddress> raised) {
        List<Block> blocks = new ArrayList<>();
        for (ThreadBlock block : rank.threadBlocks()) {
            Agent agent = ofBlocks.get(blocks.size());
            blocks.add(new Block(
                    agent,
                    rank.rank(),
                    block,
                    scenario,
                    raised,
                    wiring.ends(rank.rank(), block, ChannelType.MEMORY, agent, proxies),
                    wiring.ends(rank.rank(), block, ChannelType.PORT, agent, proxies)));
        }
        SymbolicMemory memory = new SymbolicMemory(plan, rank, scenario.cellsPerChunk());
        return new SymbolicRank(rank, memory, blocks, proxies, wiring.semaphores(rank.rank()), ofBlocks.getFirst());
    }

    public Values values() {
        return values;
    }

    public CheckedSize scenario() {
        return scenario;
    }

    public SymbolicRank rank(int rank) {
        return ranks.get(rank);
    }

    public FaultReport report() {
        return report;
    }

    /** Makes blocks runnable. */
    public void wake(List<Block> waiting) {
        runnable.addAll(waiting);
        waiting.clear();
    }

    public boolean equalBits() {
        return application.equalBits();
    }

    /** The ranks that this run treated as root; empty if the collective has no root. */
    public Set<Integer> roots() {
        return application.roots();
    }

    /** Runs to the end and returns the findings. */
    public List<Finding> run() {
        wiring.reportShort(report);
        shortages = report.size();
        ranks.forEach(this::begin);
        do {
            while (!runnable.isEmpty() && !report.isFull()) {
                advance(runnable.remove());
            }
        } while (!report.isFull() && serveNext());
        if (!report.isFull() && !waits.isCut()) {
            reportWaiting();
        }
        if (report.size() == 0) {
            wiring.surplus().ifPresent(report::add);
        }
        return report.findings(wiring.severalSignallers());
    }

    /** Number of findings that do not depend on the run; they come first. */
    public int shortages() {
        return shortages;
    }

    /** Lets a contested counter serve one block; false if none can be served. */
    private boolean serveNext() {
        Optional<Block> served = waits.serve(order);
        served.ifPresent(runnable::add);
        return served.isPresent();
    }

    private void reportWaiting() {
        List<Block> waiting = ranks.stream()
                .filter(rank -> rank.launch() < launches)
                .flatMap(rank -> rank.blocks().stream())
                .filter(block -> block.waitsFor() != null)
                .toList();
        if (!waiting.isEmpty()) {
            report.noProgress(waiting);
        }
    }

    /** Begins launches of a rank until one has a block to run. */
    private void begin(SymbolicRank rank) {
        application.begin(rank);
        while (rank.launch() < launches && rank.blocks().isEmpty()) {
            application.end(rank);
            application.begin(rank);
        }
        if (rank.launch() < launches) {
            runnable.addAll(rank.blocks());
        }
    }

    private void advance(Block block) {
        SymbolicRank rank = ranks.get(block.rank());
        while (!report.isFull()) {
            Operation operation = block.current();
            if (operation == null) {
                if (rank.blockEnded()) {
                    application.end(rank);
                    begin(rank);
                }
                return;
            }
            if (!perform(rank, block, operation)) {
                return;
            }
            block.advance();
        }
    }

    /** Executes an operation; false if the block must wait. */
    private boolean perform(SymbolicRank rank, Block block, Operation operation) {
        return switch (operation) {
            case Operation.Nop() -> {
                block.agent().sync();
                yield true;
            }
            case Operation.Barrier barrier -> waits.sync(rank, block, barrier);
            case Operation.Signal signal -> {
                for (int id : signal.channelIds()) {
                    signal(rank, block, block.ends(signal.channelType()), id, signal.relaxed());
                }
                yield true;
            }
            case Operation.Wait wait -> waits.await(block, wait);
            case Operation.Flush flush -> {
                for (int id : flush.channelIds()) {
                    flush(block, id);
                }
                yield true;
            }
            case Operation.SemaphoreAcquire acquire -> waits.acquire(rank, block, acquire);
            case Operation.SemaphoreRelease release -> {
                for (int id : release.semaphoreIds()) {
                    if (rank.semaphores().get(id).isLock()) {
                        continue; // no block waits for it
                    }
                    raise(
                            rank.semaphores().get(id),
                            block.agent(),
                            new Counter.Signal(block.agent().release(), false, false, rank.begin()));
                }
                yield true;
            }
            case Operation.Data data -> new DataStep(this, rank, block, data).perform();
            case Operation.Pipeline _ -> throw new IllegalStateException("pipelines are unrolled");
        };
    }

    /** Signals on one channel. */
    public void signal(SymbolicRank rank, Block block, ChannelEnds ends, int id, boolean relaxed) {
        Agent signaller = ends.signaller(id);
        if (signaller != block.agent()) {
            signaller.acquire(block.agent().release());
            signaller.sync();
        }
        boolean orders = !relaxed || ends.type() == ChannelType.PORT || block.isRaised();
        raise(
                ends.raised(id),
                signaller,
                new Counter.Signal(signaller.release(), !orders, relaxed && orders, rank.begin()));
    }

    private void raise(Counter counter, Agent signaller, Counter.Signal signal) {
        counter.signal(signaller.index(), signal);
        wake(counter.waiting());
    }

    /** Waits until the proxy of a port channel has read the source of each queued request. */
    public void flush(Block block, int id) {
        Agent proxy = block.ends(ChannelType.PORT).signaller(id);
        block.agent().acquireReads(proxy.index(), proxy.step());
    }
}
