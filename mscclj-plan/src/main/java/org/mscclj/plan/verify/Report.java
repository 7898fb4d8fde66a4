package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mscclj.plan.Operation;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.text.OperationText;

/** Collects what is wrong, each pair of operations once, and says it in words. */
final class Report {
    private static final int MOST_WAITING = 8;
    private static final int MOST_FINDINGS = 5;

    private final Plan plan;
    private final Scenario scenario;
    private final List<Agent> agents;
    private final List<Finding> findings = new ArrayList<>();
    private final Set<String> said = new HashSet<>();

    /** For a proxy, the blocks that have queued its steps. */
    private final Map<Integer, List<Integer>> queuedBy = new HashMap<>();

    Report(Plan plan, Scenario scenario, List<Agent> agents) {
        this.plan = plan;
        this.scenario = scenario;
        this.agents = agents;
    }

    int size() {
        return findings.size();
    }

    /** Whether it is pointless to go on. */
    boolean isFull() {
        return findings.size() >= MOST_FINDINGS;
    }

    /**
     * What was found.
     *
     * @param uncertain counters of which an order may have been missed, in words, so that races are left open; nothing
     *     if there are none
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

    /** A rank's result is wrong. Later launches, whose results mostly are wrong in the same way, are not told of. */
    void wrongResult(int rank, Finding finding) {
        if (said.add("the result of rank " + rank)) {
            findings.add(finding);
        }
    }

    /** An agent's step was asked for by a block. */
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
        String first = who(conflict.firstAgent(), conflict.firstStep());
        String second = who(conflict.secondAgent(), conflict.secondStep());
        if (said.add(pair(first, second))) {
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
                                    ? "\n  both are of one block, whose threads do not meet between them (a nop"
                                            + " is missing)"
                                    : untold(conflict.firstAgent(), conflict.firstStep()))));
        }
    }

    /** Two accesses that nothing orders are said once, whichever came first in a launch. */
    private static String pair(String first, String second) {
        return first.compareTo(second) < 0 ? first + "|" + second : second + "|" + first;
    }

    /** If the next signal after an access does not tell of it, because the threads have not met, says so. */
    private String untold(int agent, int step) {
        Agent somebody = agents.get(agent);
        Block block = somebody.block();
        int position = somebody.log().position(step);
        if (block == null || position == StepLog.APPLICATION || somebody.log().inner(step) >= 0) {
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
                    return "\n  a nop is missing: the threads of the block do not meet between op " + position + " and "
                            + operation(somebody.rank(), id, next, -1) + ", which therefore does not tell of it";
                }
                default -> {
                    // neither lets the threads meet nor tells anybody
                }
            }
        }
        return "";
    }

    void overlap(Block block) {
        String who = operation(block.cursor().address());
        if (said.add(who)) {
            findings.add(new Finding(
                    Finding.Kind.RACE,
                    who
                            + " reads and writes ranges that overlap, each at another place, while its"
                            + " threads go in no order"));
        }
    }

    /** One operation writes two values to one place, or writes what another of its operands reads. */
    void meetsItself(Block block, int rank, String letter, int chunk, boolean writes) {
        String who = operation(block.cursor().address());
        if (said.add(who)) {
            findings.add(new Finding(
                    Finding.Kind.RACE,
                    who
                            + (writes
                                    ? " writes two values to rank "
                                    : " writes what it also reads, through two operands, at rank ")
                            + rank + " " + letter + "[" + chunk + "], while its threads go in no order"));
        }
    }

    /** Two agents write equal packets to one place, so that a reader cannot know whose it has read. */
    void twoWriters(PacketCell packet, Block second, int rank, int chunk) {
        String first = who(packet.writer, packet.step);
        String other = operation(second.cursor().address());
        if (said.add(pair(first, other))) {
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

    /** How long the pipelines are in the size that was looked at, if the plan has any. */
    private String within() {
        int longest = scenario.longest(plan);
        return longest == 0 ? "" : ", when the longest pipeline has " + longest + " iterations";
    }

    private static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }

    void noProgress(List<Block> waiting) {
        StringBuilder text = new StringBuilder("blocks wait, and nothing can go on:");
        waiting.stream()
                .limit(MOST_WAITING)
                .forEach(block -> text.append("\n  ")
                        .append(operation(block.cursor().address()))
                        .append(" waits for ")
                        .append(block.waitsFor()));
        if (waiting.size() > MOST_WAITING) {
            text.append("\n  and ").append(waiting.size() - MOST_WAITING).append(" blocks more");
        }
        findings.add(new Finding(Finding.Kind.NO_PROGRESS, text.toString()));
    }

    private String who(int agent, int step) {
        Agent somebody = agents.get(agent);
        int position = somebody.log().position(step);
        if (position == StepLog.APPLICATION) {
            return "rank " + somebody.rank() + ", the application, before it launches,";
        }
        Block block = somebody.block();
        if (block != null) {
            return operation(
                    somebody.rank(),
                    block.threadBlock().id(),
                    position,
                    somebody.log().inner(step));
        }
        List<Integer> queued = queuedBy.getOrDefault(agent, List.of());
        int id = step <= queued.size() ? queued.get(step - 1) : 0;
        return operation(somebody.rank(), id, position, somebody.log().inner(step)) + ", by its proxy,";
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
