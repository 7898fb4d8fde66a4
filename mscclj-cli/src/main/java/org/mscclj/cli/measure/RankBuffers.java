package org.mscclj.cli.measure;

import java.util.List;
import java.util.function.LongFunction;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.cli.check.CallShape;

/**
 * A rank's buffers for one call, placed as the call wants them, each with guard zones on both sides.
 *
 * @param regions what was allocated
 * @param input the input
 * @param output the output; in place it shares memory with the input
 * @param guards the guard zones
 */
record RankBuffers(List<DeviceBuffer> regions, DeviceBuffer input, DeviceBuffer output, List<DeviceBuffer> guards)
        implements AutoCloseable {
    /** Keeps the alignment of the allocation. */
    private static final long GUARD_BYTES = 4096;

    /**
     * Allocates.
     *
     * @param memory allocates so many bytes; all ranks call it alike
     */
    static RankBuffers allocate(LongFunction<DeviceBuffer> memory, int rank, CallShape shape) {
        long inputBytes = shape.inputBytes();
        long outputBytes = shape.outputBytes();
        if (!shape.inPlace()) {
            Region input = Region.allocate(memory, inputBytes);
            Region output;
            try {
                output = Region.allocate(memory, outputBytes);
            } catch (RuntimeException | Error e) {
                try (input) {
                    throw e;
                }
            }
            return new RankBuffers(
                    List.of(input.whole(), output.whole()),
                    input.inner(),
                    output.inner(),
                    List.of(input.before(), input.after(), output.before(), output.after()));
        }
        Region region = Region.allocate(memory, Math.max(inputBytes, outputBytes));
        long own = rank * shape.sliceBytes();
        DeviceBuffer inner = region.inner();
        return new RankBuffers(
                List.of(region.whole()),
                inputBytes < outputBytes ? inner.slice(own, inputBytes) : inner,
                outputBytes < inputBytes ? inner.slice(own, outputBytes) : inner,
                List.of(region.before(), region.after()));
    }

    private record Region(DeviceBuffer whole, long bytes) implements AutoCloseable {
        static Region allocate(LongFunction<DeviceBuffer> memory, long bytes) {
            return new Region(memory.apply(bytes + 2 * GUARD_BYTES), bytes);
        }

        DeviceBuffer before() {
            return whole.slice(0, GUARD_BYTES);
        }

        DeviceBuffer inner() {
            return whole.slice(GUARD_BYTES, bytes);
        }

        DeviceBuffer after() {
            return whole.slice(GUARD_BYTES + bytes, GUARD_BYTES);
        }

        @Override
        public void close() {
            whole.close();
        }
    }

    @Override
    public void close() {
        DeviceBuffer first = regions.getFirst();
        DeviceBuffer last = regions.getLast();
        try (first;
                last) {
            // in place they are one, and closing is idempotent
        }
    }
}
