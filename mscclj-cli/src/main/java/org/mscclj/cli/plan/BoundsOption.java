package org.mscclj.cli.plan;

import java.util.Optional;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.MscclppLimits;
import picocli.CommandLine.Option;

/** {@code --unbounded}: whether a plan that is written is for other programs too. */
final class BoundsOption {
    @Option(
            names = "--unbounded",
            description = "Write the plan as communicators make it: with operations of more than the 8 channels and"
                    + " 10 operands that"
                    + " MSCCL++'s executor has room for. Default: within these bounds, which costs"
                    + " operations, and rounds a sum that"
                    + " is cut in two once more.")
    private boolean unbounded;

    BoundsOption() {}

    boolean bounded() {
        return !unbounded;
    }

    /** What is to be said of a plan that MSCCL++ cannot hold, though it should; empty if it can. */
    Optional<String> warning(Plan plan) {
        return unbounded ? Optional.empty() : MscclppLimits.exceeded(plan).map(reason -> "not for MSCCL++: " + reason);
    }
}
