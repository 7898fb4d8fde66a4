package org.mscclj.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.cli.options.Quantities;

/**
 * Turns what {@code --size} and {@code --count} say into elements of a slice. A size is the one that the plan's limits speak of: the
 * output's for allgather, the input's otherwise.
 */
final class MessageSizes {
    /** A size to run, and what to tell the user about it. */
    record Size(long count, Optional<String> note) {}

    private static final long DEFAULT_BYTES = 1 << 20;

    private final ExecutionPlan plan;
    private final DataType type;
    private final long slices;
    private final long unit;

    MessageSizes(ExecutionPlan plan, DataType type) {
        this.plan = plan;
        this.type = type;
        this.slices = plan.collective() == Collective.ALLGATHER
                ? plan.worldSize()
                : plan.collective().inputSlices(plan.worldSize());
        this.unit = slices * type.byteSize();
    }

    /** The sizes of a list such as {@code 1K,1M}. */
    List<Size> ofSizes(String list) {
        List<Size> sizes = new ArrayList<>();
        for (String text : list.split(",", -1)) {
            long bytes = Quantities.bytes("--size", text);
            long rounded = bytes / unit * unit;
            Optional<String> note = rounded == bytes
                    ? Optional.empty()
                    : Optional.of("--size " + text + " is rounded down from " + bytes + " to " + rounded + " bytes: "
                            + wholeSlices());
            sizes.add(new Size(checked("--size " + text, rounded), note));
        }
        return sizes;
    }

    /** The sizes of a list of counts. */
    List<Size> ofCounts(String list) {
        List<Size> sizes = new ArrayList<>();
        for (String text : list.split(",", -1)) {
            long count = Quantities.count("--count", text, "elements of one slice");
            sizes.add(new Size(checked("--count " + text, Quantities.multiply(text, count, unit)), Optional.empty()));
        }
        return sizes;
    }

    /** 1 MiB, or what the plan accepts that comes closest. */
    Size ofDefault() {
        long bytes = DEFAULT_BYTES;
        if (Long.compareUnsigned(bytes, plan.minMessageSize()) < 0) {
            bytes = plan.minMessageSize();
        } else if (Long.compareUnsigned(bytes, plan.maxMessageSize()) > 0) {
            bytes = plan.maxMessageSize();
        }
        long rounded = Long.divideUnsigned(bytes, unit) * unit;
        if (Long.compareUnsigned(rounded, plan.minMessageSize()) < 0) {
            rounded += unit;
        }
        Optional<String> note = rounded == bytes
                ? Optional.empty()
                : Optional.of("the default size is " + rounded + " bytes: " + wholeSlices());
        return new Size(checked("the default size", rounded), note);
    }

    private long checked(String what, long bytes) {
        if (Long.compareUnsigned(bytes, plan.minMessageSize()) < 0
                || Long.compareUnsigned(bytes, plan.maxMessageSize()) > 0) {
            throw InvalidArgumentException.of(
                    what,
                    bytes + " bytes",
                    Long.toUnsignedString(plan.minMessageSize()) + " to " + Long.toUnsignedString(plan.maxMessageSize())
                            + " bytes, the limits of plan " + plan.name() + ", in whole multiples of " + unit);
        }
        return bytes / unit;
    }

    private String wholeSlices() {
        return slices == 1 ? "whole elements of " + type : slices + " slices of whole elements of " + type;
    }
}
