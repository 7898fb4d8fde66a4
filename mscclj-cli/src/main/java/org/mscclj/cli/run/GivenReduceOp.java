package org.mscclj.cli.run;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.options.OpOption;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.FixedReduceOp;

/** The reduction of a call with an optional {@code --op}. */
final class GivenReduceOp {
    private GivenReduceOp() {}

    /**
     * Returns the given reduction, or the plan's default.
     *
     * @throws InvalidArgumentException if the plan or the type does not allow it
     */
    static ReduceOp of(Plan plan, Optional<ReduceOp> given, DataType type) {
        ReduceOp chosen = given.orElseGet(() -> DefaultReduceOp.of(plan));
        if (given.isPresent() && !plan.collective().reduces()) {
            throw new InvalidArgumentException("--op is " + chosen + ", but plan " + plan.label() + " is an "
                    + plan.collective() + ", which reduces nothing; leave --op out");
        }
        OpOption.checked(chosen, type);
        FixedReduceOp.conflicting(plan, chosen).ifPresent(kind -> {
            FixedReduceOp.contradiction(plan).ifPresent(why -> {
                throw new InvalidArgumentException("plan " + plan.label() + " cannot run: " + why
                        + "; let all operations of the plan fix the same one, or none");
            });
            throw new InvalidArgumentException(
                    "--op is " + chosen + ", but plan " + plan.label() + " fixes " + kind.label() + "; leave --op out");
        });
        return chosen;
    }
}
