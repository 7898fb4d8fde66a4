package org.mscclj.runtime.collective;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.selection.CallDescriptor;

/**
 * The calls by which the ranks set up the classes of a warm-up: one for each algorithm that sizes of a class may have.
 */
final class WarmUpCalls {
    private final ExecutionEnvironment environment;
    private final long[] thresholds;
    private final Consumer<CollectiveCall> setUp;

    /**
     * Creates the calls.
     *
     * @param thresholds the sizes of messages from which another algorithm may be selected, in bytes
     * @param setUp sets the class of a call up, unless it is; collective
     */
    WarmUpCalls(ExecutionEnvironment environment, long[] thresholds, Consumer<CollectiveCall> setUp) {
        this.environment = environment;
        this.thresholds = thresholds;
        this.setUp = setUp;
    }

    /**
     * Sets a class up on all ranks. Collective.
     *
     * @throws InvalidArgumentException if a call of this class with elements on this many ranks is larger than the
     *     warm-up allows, or has no such root
     */
    void setUp(WarmUp of) {
        Collective collective = of.collective();
        int ranks = environment.control().size();
        int slices = Math.max(collective.inputSlices(ranks), collective.outputSlices(ranks));
        int element = of.type().byteSize();
        long largest = of.maxBytes() / slices / element * element;
        if (largest == 0) {
            throw InvalidArgumentException.of(
                    "size of the largest call of warm-up " + of,
                    of.maxBytes(),
                    (long) slices * element + " bytes or more on " + ranks + " ranks");
        }
        for (long slice : sizes(collective, ranks, element, largest)) {
            setUp(of, slice);
        }
    }

    /** Returns the sizes of slices, in bytes: the smallest one of each algorithm, and the largest one. */
    private Set<Long> sizes(Collective collective, int ranks, int element, long largest) {
        int parts = CallDescriptor.slices(collective, ranks);
        Set<Long> sizes = new LinkedHashSet<>();
        sizes.add((long) element);
        for (long threshold : thresholds) {
            long slice = Math.ceilDiv(Math.ceilDiv(threshold, parts), element) * element;
            if (slice < largest) {
                sizes.add(Math.max(element, slice));
            }
        }
        sizes.add(largest);
        return sizes;
    }

    /** Makes a call on memory of its own, which nothing uses when the class is set up. */
    private void setUp(WarmUp of, long slice) {
        int ranks = environment.control().size();
        long inputBytes = slice * of.collective().inputSlices(ranks);
        long outputBytes = slice * of.collective().outputSlices(ranks);
        try (DeviceBuffer larger = environment.device().allocate(Math.max(inputBytes, outputBytes));
                DeviceBuffer other = environment.device().allocate(of.inPlace() ? 0 : outputBytes)) {
            DeviceBuffer input = larger.slice(offset(inputBytes, outputBytes, slice, of), inputBytes);
            DeviceBuffer output =
                    of.inPlace() ? larger.slice(offset(outputBytes, inputBytes, slice, of), outputBytes) : other;
            setUp.accept(new CollectiveCall(
                    of.collective(), input, output, of.type(), new ReduceOp(of.op(), 1), of.root(), Optional.empty()));
        }
    }

    /** Returns where a buffer begins in the larger one: in place, the smaller one is this rank's part of the other. */
    private long offset(long bytes, long others, long slice, WarmUp of) {
        return of.inPlace() && bytes < others ? slice * environment.control().rank() : 0;
    }
}
