package org.mscclj.cli.run;

import java.util.List;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.RelaxedSignals;

/** The check of {@code --strict}. */
final class StrictOrder {
    private StrictOrder() {}

    /** Returns a sentence for each relaxed signal that must release; none if the plan is valid. */
    static List<String> violations(Plan plan) {
        return RelaxedSignals.needingRelease(plan).stream()
                .map(address -> "plan " + plan.label() + ", " + address
                        + ": signals relaxed, but earlier stores to a peer need a release; use signal"
                        + " instead of rlxsignal")
                .toList();
    }
}
