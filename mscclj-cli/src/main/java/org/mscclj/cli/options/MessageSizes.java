package org.mscclj.cli.options;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.plan.text.MessageSizeRange;

/**
 * Converts {@code --size} and {@code --count} to numbers of elements of a slice. A size is the one to which the plan's
 * limits apply: that of the output for allgather, that of the input otherwise.
 */
public final class MessageSizes {
    /** A size to run, with a note for the user. */
    public record Size(long count, Optional<String> note) {}

    private static final long DEFAULT_BYTES = 1 << 20;

    private final ExecutionPlan plan;
    private final DataType type;
    private final long slices;
    private final long unit;

    /** The sizes of calls of a plan with elements of a type. */
    public MessageSizes(ExecutionPlan plan, DataType type) {
        this.plan = plan;
        this.type = type;
        this.slices = plan.collective() == Collective.ALLGATHER
                ? plan.worldSize()
                : plan.collective().inputSlices(plan.worldSize());
        this.unit = slices * type.byteSize();
    }

    /**
     * Parses a list of sizes such as {@code 1K,1M}.
     *
     * @throws InvalidArgumentException if the plan does not accept one
     */
    List<Size> ofSizes(String list) {
        return texts(list).map(text -> checked("--size " + text, ofSize(text))).toList();
    }

    /**
     * Parses a list of counts.
     *
     * @throws InvalidArgumentException if the plan does not accept one
     */
    List<Size> ofCounts(String list) {
        return texts(list)
                .map(text -> checked("--count " + text, ofCount(text)))
                .toList();
    }

    /** Returns the sizes of a list that the plan accepts. */
    List<Size> fittingSizes(String list) {
        return texts(list).map(this::ofSize).filter(this::isAccepted).toList();
    }

    /** Returns the counts of a list that the plan accepts. */
    List<Size> fittingCounts(String list) {
        return texts(list).map(this::ofCount).filter(this::isAccepted).toList();
    }

    private static Stream<String> texts(String list) {
        return Stream.of(list.split(",", -1));
    }

    private Size ofSize(String text) {
        long bytes = Quantities.bytes("--size", text);
        long rounded = bytes / unit * unit;
        Optional<String> note = rounded == bytes
                ? Optional.empty()
                : Optional.of("--size " + text + " is rounded down from " + bytes + " to " + rounded + " bytes: "
                        + wholeSlices());
        return new Size(rounded / unit, note);
    }

    private Size ofCount(String text) {
        long count = Quantities.count("--count", text, "elements of one slice");
        Quantities.multiply(text, count, unit);
        return new Size(count, Optional.empty());
    }

    /** Returns 1 MiB, or the closest size that the plan accepts. */
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
        return checked("the default size", new Size(rounded / unit, note));
    }

    private boolean isAccepted(Size size) {
        long bytes = size.count() * unit;
        return Long.compareUnsigned(bytes, plan.minMessageSize()) >= 0
                && Long.compareUnsigned(bytes, plan.maxMessageSize()) <= 0;
    }

    private Size checked(String what, Size size) {
        if (!isAccepted(size)) {
            throw InvalidArgumentException.of(
                    what,
                    size.count() * unit + " bytes",
                    MessageSizeRange.text(plan.minMessageSize(), plan.maxMessageSize()) + ", the limits of plan "
                            + PlainText.brief(plan.name()) + ", in whole multiples of " + unit);
        }
        return size;
    }

    private String wholeSlices() {
        return slices == 1 ? "whole elements of " + type : slices + " slices of whole elements of " + type;
    }
}
