package org.mscclj.cli.measure;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.check.RankMemory;

/** The buffers of a rank for one call, in place or not, each between two guard zones. */
public final class RankBuffers implements AutoCloseable {
    private final List<GuardedRegion> regions;
    private final Part input;
    private final Part output;

    /** A range of a region. */
    private record Part(GuardedRegion region, long offset, long bytes) {
        DeviceBuffer buffer() {
            return region.inner().slice(offset, bytes);
        }

        MemorySegment host() {
            return region.hostInner().asSlice(offset, bytes);
        }
    }

    private RankBuffers(List<GuardedRegion> regions, Part input, Part output) {
        this.regions = List.copyOf(regions);
        this.input = input;
        this.output = output;
    }

    /**
     * Allocates the buffers.
     *
     * @param memory allocates a number of bytes; all ranks make the same calls
     */
    public static RankBuffers allocate(LongFunction<DeviceBuffer> memory, int rank, CheckedCall shape) {
        long inputBytes = shape.inputBytes();
        long outputBytes = shape.outputBytes();
        if (!shape.inPlace()) {
            GuardedRegion input = GuardedRegion.allocate(memory, inputBytes);
            try {
                GuardedRegion output = GuardedRegion.allocate(memory, outputBytes);
                return new RankBuffers(
                        List.of(input, output), new Part(input, 0, inputBytes), new Part(output, 0, outputBytes));
            } catch (RuntimeException | Error e) {
                try (input) {
                    throw e;
                }
            }
        }
        GuardedRegion region = GuardedRegion.allocate(memory, Math.max(inputBytes, outputBytes));
        long own = rank * shape.sliceBytes();
        return new RankBuffers(
                List.of(region),
                new Part(region, inputBytes < outputBytes ? own : 0, inputBytes),
                new Part(region, outputBytes < inputBytes ? own : 0, outputBytes));
    }

    /** Returns the input. */
    public DeviceBuffer input() {
        return input.buffer();
    }

    /** Returns the output; in place it shares memory with the input. */
    public DeviceBuffer output() {
        return output.buffer();
    }

    /** Returns the host's view of the memory. It may be stale until {@link #download} is called. */
    RankMemory memory() {
        return new RankMemory(
                input.host(),
                output.host(),
                regions.stream()
                        .flatMap(region -> Stream.of(region.hostBefore(), region.hostAfter()))
                        .toList());
    }

    /** Copies {@link #memory} to the device. */
    void upload() {
        regions.forEach(GuardedRegion::upload);
    }

    /** Copies the device's memory to {@link #memory}. */
    void download() {
        regions.forEach(GuardedRegion::download);
    }

    /** Fills input and output with zeros. */
    void fillWithZeros() {
        regions.forEach(GuardedRegion::fillWithZeros);
    }

    /** Frees the host's copies, if {@link #memory} has made any: they are as large as the buffers. */
    void forget() {
        regions.forEach(GuardedRegion::forget);
    }

    @Override
    public void close() {
        try (GuardedRegion first = regions.getFirst();
                GuardedRegion last = regions.getLast()) {
            // in place both are one region, and closing is idempotent
            assert first != null && last != null;
        }
    }
}
