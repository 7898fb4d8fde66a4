package org.mscclj.analysis.verify.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verify.size.CheckedSize;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.text.OperationText;

/** Collects the findings of a run, each pair of operations once, and renders their messages. */
final class FaultReport {
    private static final int MAX_WAITING = 8;
    private static final int MAX_FINDINGS = 5;

    private final Plan plan;
    private final CheckedSize scenario;
    private final List<Agent> agents;
    private final List<Finding> findings = new ArrayList<>();
    private final Set<String> reported = new HashSet<>();

    /** For each proxy, the blocks that queued its steps. */
    private final Map<Integer, List<Integer>> queuedBy = new HashMap<>();

    FaultReport(Plan plan, CheckedSize scenario, List<Agent> agents) {
        this.plan = plan;
        this.scenario = scenario;
        this.agents = agents;
    }

    int size() {
        return findings.size();
    }

    /** Whether the report holds the maximum of findings. */
    boolean isFull() {
        return findings.size() >= MAX_FINDINGS;
    }

    /**
     * The findings.
     *
     * @param uncertain describes counters of which an order may be missing, which leaves races open; null if there are
     *     none
     */
    List<Finding> findings(@Nullable String uncertain) {
        return findings.stream()
                .map(finding -> uncertain != null && finding.kind() == Finding.Kind.RACE
                        ? new Finding(
                                Finding.Kind.UNDECIDED,
                                finding.message() + "\n  (" + uncertain
                                        + ", and an order that this gives may have been missed)")
                        : finding)
                .toList();
    }

    void add(Finding finding) {
        findings.add(finding);
    }

    /**
     * Adds a wrong result of a rank. Wrong results of its later launches, which mostly have the same cause, are left
     * out.
     */
    void wrongResult(int rank, Finding finding) {
        if (reported.add("the result of rank " + rank)) {
            findings.add(finding);
        }
    }

    /** Records the block that requested a step of an agent. */
    void remember(Agent agent, Block block) {
        if (agent.block() == null) {
            List<Integer> queued = queuedBy.computeIfAbsent(agent.index(), _ -> new ArrayList<>());
            while (queued.size() < agent.step()) {
                queued.add(block.threadBlock().id());
            }
        }
    }

    void add(@Nullable Conflict conflict) {
        if (conflict == null) {
            return;
        }
        String first = describe(conflict.firstAgent(), conflict.firstStep());
        String second = describe(conflict.secondAgent(), conflict.secondStep());
        if (reported.add(pair(first, second))) {
            boolean oneBlock = conflict.firstAgent() == conflict.secondAgent();
            findings.add(new Finding(
                    Finding.Kind.RACE,
                    "nothing orders two accesses to rank " + conflict.rank() + " " + conflict.letter() + "["
                            + conflict.cell() / scenario.cellsPerChunk() + "]:\n  "
                            + first + (conflict.firstWrites() ? " writes it" : " reads it")
                            + launch(conflict.firstAgent(), conflict.firstStep())
                            + "\n  " + second + (conflict.secondWrites() ? " writes it" : " reads it")
                            + launch(conflict.secondAgent(), conflict.secondStep())
                            + (oneBlock
                                    ? "\n  both are of one block, whose threads do not synchronise between them (a nop"
                                            + " is missing)"
                                    : unreleased(conflict.firstAgent(), conflict.firstStep()))));
        }
    }

    /** Identity of two unordered accesses, in either order of a launch. */
    private static String pair(String first, String second) {
        return first.compareTo(second) < 0 ? first + "|" + second : second + "|" + first;
    }

    /** Explains that the next signal after an access does not release it because the threads have not synchronised. */
    private String unreleased(int agent, int step) {
        Agent actor = agents.get(agent);
        Block block = actor.block();
        int position = actor.log().position(step);
        if (block == null || position == StepLog.APPLICATION || actor.log().inner(step) >= 0) {
            return "";
        }
        List<Operation> operations = block.threadBlock().operations();
        for (int next = position + 1; next < operations.size(); next++) {
            switch (operations.get(next)) {
                case Operation.Nop _, Operation.Barrier _, Operation.Pipeline _ -> {
                    return "";
                }
                case Operation.Signal _, Operation.SemaphoreRelease _ -> {
                    int id = block.threadBlock().id();
                    return "\n  a nop is missing: the threads of the block do not synchronise between op " + position
                            + " and " + operation(actor.rank(), id, next, -1) + ", which therefore does not release it";
                }
                default -> {
                    // neither synchronises the threads nor signals
                }
            }
        }
        return "";
    }

    void overlap(Block block) {
        String operation = operation(block.cursor().address());
        if (reported.add(operation)) {
            findings.add(new Finding(
                    Finding.Kind.RACE,
                    operation
                            + " reads and writes overlapping ranges at different offsets, while its"
                            + " threads run in no order"));
        }
    }

    /** Adds a finding: one operation writes two values to one place, or writes what another of its operands reads. */
    void overlapsItself(Block block, int rank, String letter, int chunk, boolean writes) {
        String operation = operation(block.cursor().address());
        if (reported.add(operation)) {
            findings.add(new Finding(
                    Finding.Kind.RACE,
                    operation
                            + (writes
                                    ? " writes two values to rank "
                                    : " writes what it also reads, through two operands, at rank ")
                            + rank + " " + letter + "[" + chunk + "], while its threads run in no order"));
        }
    }

    /** Adds a finding: two agents write equal packets to one place, and the schedule decides which of both is read. */
    void twoWriters(PacketCell packet, Block second, int rank, int chunk) {
        String first = describe(packet.writer, packet.step);
        String other = operation(second.cursor().address());
        if (reported.add(pair(first, other))) {
            findings.add(new Finding(
                    Finding.Kind.UNDECIDED,
                    first + " and " + other + " write equal packets to rank " + rank + " s[" + chunk
                            + "] in one launch; whose packet a reader gets depends on the schedule, and"
                            + " only one case was followed"));
        }
    }

    void tooFewSignals(RankPlan rank, String counter, String signaller, Counter count) {
        findings.add(new Finding(
                Finding.Kind.NO_PROGRESS,
                "rank " + rank.rank() + " waits " + times(count.waitsPerLaunch()) + " in each launch on " + counter
                        + ", and " + signaller + " signals there " + times(count.signalsPerLaunch()) + within()));
    }

    void tooFewReleases(RankPlan rank, int semaphore, Counter count) {
        findings.add(new Finding(
                Finding.Kind.NO_PROGRESS,
                "rank " + rank.rank() + " acquires semaphore #" + semaphore + " " + times(count.waitsPerLaunch())
                        + " in each launch; it starts at " + count.initial() + ", and is "
                        + (count.signalsPerLaunch() == 0
                                ? "never released"
                                : "released " + times(count.signalsPerLaunch()))
                        + within()));
    }

    /** The length of the longest pipeline in this scenario, if the plan has any. */
    private String within() {
        int longest = scenario.longest(plan);
        return longest == 0 ? "" : ", when the longest pipeline has " + longest + " iterations";
    }

    private static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }

    void noProgress(List<Block> waiting) {
        StringBuilder text = new StringBuilder("deadlock: blocks wait, and none can continue:");
        waiting.stream()
                .limit(MAX_WAITING)
                .forEach(block -> text.append("\n  ")
                        .append(operation(block.cursor().address()))
                        .append(" waits for ")
                        .append(block.waitsFor()));
        if (waiting.size() > MAX_WAITING) {
            text.append("\n  and ").append(waiting.size() - MAX_WAITING).append(" more blocks");
        }
        findings.add(new Finding(Finding.Kind.NO_PROGRESS, text.toString()));
    }

    private String describe(int agent, int step) {
        Agent actor = agents.get(agent);
        int position = actor.log().position(step);
        if (position == StepLog.APPLICATION) {
            return "rank " + actor.rank() + ", the application, before it launches,";
        }
        Block block = actor.block();
        if (block != null) {
            return operation(
                    actor.rank(),
                    block.threadBlock().id(),
                    position,
                    actor.log().inner(step));
        }
        List<Integer> queued = queuedBy.getOrDefault(agent, List.of());
        int id = step <= queued.size() ? queued.get(step - 1) : 0;
        return operation(actor.rank(), id, position, actor.log().inner(step)) + ", by its proxy,";
    }

    private String launch(int agent, int step) {
        int launch = agents.get(agent).log().launch(step);
        return launch == 0 ? "" : " in launch " + (launch + 1) + " in a row";
    }

    private String operation(int rank, int block, int position, int inner) {
        return operation(
                inner >= 0
                        ? OperationAddress.inPipeline(rank, block, position, inner)
                        : OperationAddress.of(rank, block, position));
    }

    private String operation(OperationAddress address) {
        return address + " (" + OperationText.of(plan, address) + ")";
    }
}
