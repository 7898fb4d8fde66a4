package org.mscclj.cli.plan;

import java.util.Optional;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.MscclppLimits;
import picocli.CommandLine.Option;

/** The option {@code --unbounded}: whether a written plan may exceed the limits of MSCCL++. */
final class BoundsOption {
    @Option(
            names = "--unbounded",
            description = "Write the plan as communicators make it: with operations of more than the 8 channels and"
                    + " 10 operands that"
                    + " MSCCL++'s executor can hold, and plain operands among packets. Default: within these limits,"
                    + " which costs operations, and rounds a sum that is split in two once more.")
    private boolean unbounded;

    BoundsOption() {}

    boolean bounded() {
        return !unbounded;
    }

    /** Returns a note about a plan that exceeds the limits of MSCCL++ although it should not; empty if it does not. */
    Optional<String> warning(Plan plan) {
        return unbounded ? Optional.empty() : MscclppLimits.exceeded(plan).map(reason -> "not for MSCCL++: " + reason);
    }
}
