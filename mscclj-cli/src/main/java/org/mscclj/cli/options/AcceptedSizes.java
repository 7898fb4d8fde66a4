package org.mscclj.cli.options;

import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.Plan;
import org.mscclj.plan.text.MessageSizeRange;

/**
 * The message sizes of a plan, in bytes: the output's for allgather, the input's otherwise.
 *
 * @param plan the plan
 */
public record AcceptedSizes(Plan plan) {
    /** Returns the number of slices of a message. */
    public int slices() {
        return plan.collective() == Collective.ALLGATHER
                ? plan.worldSize()
                : plan.collective().inputSlices(plan.worldSize());
    }

    /** Rounds a size down to whole slices. */
    public long rounded(long messageBytes) {
        return messageBytes / slices() * slices();
    }

    /** Returns the size of a slice in bytes. */
    public long sliceBytes(long messageBytes) {
        return messageBytes / slices();
    }

    /** Whether a size is within the plan's limits. */
    public boolean accepts(long messageBytes) {
        return Long.compareUnsigned(messageBytes, plan.minMessageSize()) >= 0
                && Long.compareUnsigned(messageBytes, plan.maxMessageSize()) <= 0;
    }

    /**
     * Returns a size, rounded down to whole slices.
     *
     * @throws InvalidArgumentException if the plan does not accept it; names {@code --size}
     */
    public long checked(long messageBytes) {
        if (!accepts(messageBytes)) {
            throw InvalidArgumentException.of(
                    "--size",
                    messageBytes + " bytes",
                    MessageSizeRange.text(plan.minMessageSize(), plan.maxMessageSize()) + ", the limits of plan "
                            + plan.label());
        }
        return rounded(messageBytes);
    }

    /** Returns the closest size that the plan accepts. */
    public long closest(long messageBytes) {
        if (Long.compareUnsigned(messageBytes, plan.minMessageSize()) < 0) {
            return plan.minMessageSize();
        }
        return Long.compareUnsigned(messageBytes, plan.maxMessageSize()) > 0 ? plan.maxMessageSize() : messageBytes;
    }
}
