package org.mscclj.plan.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.mscclj.plan.OperationAddress;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.RelaxedSignals;

/**
 * Proves a plan, or refutes it, without running it: all ranks are executed with symbolic values, over several launches, and every access is
 * checked against every earlier one that it conflicts with. See decision 0013 for what is proved, and why one run is enough.
 */
public final class Verifier {
    /** Memory that launches use by turns meets itself in the launch after the next. */
    static final int LAUNCHES = 3;

    private Verifier() {}

    /**
     * Verifies a plan as engines run it: relaxed signals that must release are raised, and noted.
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
     * @param strict whether relaxed signals order nothing but reads, as they say
     */
    public static Verdict verify(Plan plan, boolean strict) {
        Set<OperationAddress> raised = new LinkedHashSet<>(RelaxedSignals.needingRelease(plan));
        List<String> notes = new ArrayList<>();
        if (!raised.isEmpty()) {
            notes.add("relies on engines to raise " + raised.size() + " relaxed signals to full ones, the first at "
                    + raised.iterator().next());
        }
        List<Finding> undecided = Consumers.competing(plan);
        if (!undecided.isEmpty()) {
            return new Verdict(undecided, false, notes);
        }
        boolean equalBits = true;
        for (Scenario scenario : Scenario.of(plan)) {
            Machine machine = new Machine(plan, scenario, strict ? Set.of() : raised);
            List<Finding> findings = machine.run();
            if (!findings.isEmpty()) {
                return new Verdict(findings, false, notes);
            }
            equalBits &= machine.equalBits();
        }
        return new Verdict(List.of(), equalBits, notes);
    }
}
