package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.analysis.verify.order.VectorClock;
import org.mscclj.analysis.verify.size.CheckedSize;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/** Models the application between launches: it fills its buffers, launches, and reads the results. */
final class Application {
    private final Plan plan;
    private final CheckedSize scenario;
    private final Values values;
    private final FaultReport report;
    private final List<OutputCheck> checks = new ArrayList<>();

    Application(Plan plan, CheckedSize scenario, int launches, Values values, FaultReport report) {
        this.plan = plan;
        this.scenario = scenario;
        this.values = values;
        this.report = report;
        for (int launch = 0; launch < launches; launch++) {
            checks.add(new OutputCheck(plan, scenario, values, launch));
        }
    }

    boolean equalBits() {
        return checks.stream().allMatch(OutputCheck::equalBits);
    }

    /** The ranks that every launch treated as root; empty if the collective has no root. */
    Set<Integer> roots() {
        Set<Integer> roots = new TreeSet<>(checks.getFirst().roots());
        checks.forEach(check -> roots.retainAll(check.roots()));
        return roots;
    }

    /** The application of a rank fills its buffers and launches. */
    void begin(SymbolicRank rank) {
        Agent application = rank.application();
        application.begin(rank.launch(), StepLog.APPLICATION, -1);
        touch(rank, BufferType.OUTPUT);
        touch(rank, BufferType.INPUT);
        application.sync();
        VectorClock preceding = application.release();
        for (Block block : rank.blocks()) {
            acquire(block.agent(), preceding);
        }
        rank.proxies().forEach(proxy -> acquire(proxy, preceding));
        rank.begin(preceding);
    }

    private static void acquire(Agent agent, VectorClock preceding) {
        agent.acquire(preceding);
        agent.sync();
    }

    /**
     * Overwrites a buffer: with the inputs of this launch, or with nothing where the plan computes the values. A plan
     * of collective {@code test} has no caller whose buffers could be accessed too early.
     */
    private void touch(SymbolicRank rank, BufferType buffer) {
        if (plan.collective() == Collective.TEST) {
            return;
        }
        SymbolicCells cells = rank.memory().cells(buffer, rank.launch());
        int chunks = rank.plan().chunks(buffer);
        int offset = rank.memory().offset(buffer);
        boolean whole = plan.inPlace() && buffer == BufferType.OUTPUT;
        int from = whole ? 0 : offset;
        int to = whole ? cells.size() : offset + chunks * scenario.cellsPerChunk();
        for (int cell = from; cell < to; cell++) {
            int value = buffer == BufferType.INPUT
                    ? values.input(rank.launch(), rank.plan().rank(), cell - offset)
                    : Values.NOTHING;
            report.add(cells.write(cell, value, rank.application()));
        }
    }

    /** The launch of a rank has ended: its application reads the result. */
    void end(SymbolicRank rank) {
        checks.get(rank.launch())
                .check(rank.plan(), rank.memory())
                .ifPresent(wrong -> report.wrongResult(rank.plan().rank(), wrong));
        Agent application = rank.application();
        for (Block block : rank.blocks()) {
            block.agent().sync();
            application.acquire(block.agent().release());
        }
        for (Agent proxy : rank.proxies()) {
            application.acquireReads(proxy.index(), proxy.step()); // the end of a launch flushes
        }
        application.sync();
        rank.nextLaunch();
    }
}
