package org.mscclj.analysis.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.analysis.verify.order.ContestedCounters;
import org.mscclj.analysis.verify.size.CheckedSize;
import org.mscclj.analysis.verify.size.PipelineSizes;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.FixedReduceOp;
import org.mscclj.plan.validation.RelaxedSignals;

/**
 * Proves or refutes a plan without a device. The verifier executes all ranks with symbolic values over several
 * launches, and checks every access against every earlier conflicting one. Decision 0014 states what is proved, and why
 * one run suffices.
 */
public final class Verifier {
    /** Memory that launches use alternately is used again in the launch after the next. */
    static final int LAUNCHES = 3;

    /** Values are numbered, and each cell of all buffers has its own state. */
    private static final long MAX_CELLS = 1L << 28;

    private Verifier() {}

    /**
     * Verifies a plan as engines execute it: relaxed signals that must release are raised to full ones, and noted.
     *
     * @param plan a valid plan
     */
    public static Verdict verify(Plan plan) {
        return verify(plan, false);
    }

    /**
     * Verifies a plan.
     *
     * @param plan a valid plan
     * @param strict whether relaxed signals keep their meaning and order reads only
     */
    public static Verdict verify(Plan plan, boolean strict) {
        try {
            return judge(plan, strict);
        } catch (RuntimeException e) { // a caller that only wants warnings continues without a proof
            String message = "the verifier failed, which is a defect of the verifier, not of the plan: " + e;
            return Verdict.unproved(List.of(new Finding(Finding.Kind.UNDECIDED, message)), List.of());
        }
    }

    private static Verdict judge(Plan plan, boolean strict) {
        Optional<String> contradiction = FixedReduceOp.contradiction(plan);
        if (contradiction.isPresent()) {
            String message = "no call can run the plan: " + contradiction.get();
            return Verdict.unproved(List.of(new Finding(Finding.Kind.NOT_CALLABLE, message)), List.of());
        }
        Set<OperationAddress> raised = new LinkedHashSet<>(RelaxedSignals.needingRelease(plan));
        List<String> notes = new ArrayList<>();
        if (!raised.isEmpty()) {
            notes.add("relies on engines to raise " + raised.size() + " relaxed signals to full ones, the first at "
                    + raised.iterator().next());
        }
        ContestedCounters contested = ContestedCounters.of(plan);
        boolean equalBits = true;
        Set<Integer> roots = null;
        for (CheckedSize scenario : CheckedSize.of(plan)) {
            long cells = cells(plan, scenario);
            if (cells > MAX_CELLS) {
                return Verdict.unproved(List.of(tooLarge(cells)), notes);
            }
            Orders orders = new Orders(plan, scenario, strict ? Set.of() : raised, contested);
            List<Finding> findings = orders.run();
            if (!findings.isEmpty()) {
                return Verdict.unproved(findings, notes);
            }
            equalBits &= orders.equalBits();
            if (roots == null) {
                roots = new TreeSet<>(orders.roots());
            }
            roots.retainAll(orders.roots());
        }
        List<Finding> open = new ArrayList<>(OpenChoices.of(plan));
        open.addAll(new PipelineSizes(plan).undecided());
        if (!open.isEmpty()) {
            return Verdict.unproved(open, notes);
        }
        for (String counter : contested.descriptions()) {
            notes.add(counter + "; all orders in which they can be served are right");
        }
        notes.addAll(CheckedSize.untried(plan));
        return new Verdict(List.of(), equalBits, roots == null ? Set.of() : roots, notes);
    }

    private static long cells(Plan plan, CheckedSize scenario) {
        long chunks = plan.ranks().stream()
                .mapToLong(rank -> (long) rank.inputChunks() + rank.outputChunks() + rank.scratchChunks())
                .sum();
        return chunks * scenario.cellsPerChunk() * (LAUNCHES + 1);
    }

    private static Finding tooLarge(long cells) {
        return new Finding(
                Finding.Kind.UNDECIDED,
                "the plan has " + cells + " cells in " + LAUNCHES + " launches; the verifier follows at most "
                        + MAX_CELLS);
    }
}
