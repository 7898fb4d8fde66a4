package org.mscclj.cli.measure;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.cli.check.CallShape;
import org.mscclj.cli.check.RankMemory;

/** A rank's buffers for one call, placed as the call wants them, each with guard zones on both sides. */
final class RankBuffers implements AutoCloseable {
    private final List<Region> regions;
    private final Part input;
    private final Part output;

    /** A part of a region. */
    private record Part(Region region, long offset, long bytes) {
        DeviceBuffer buffer() {
            return region.inner().slice(offset, bytes);
        }

        MemorySegment host() {
            return region.hostInner().asSlice(offset, bytes);
        }
    }

    private RankBuffers(List<Region> regions, Part input, Part output) {
        this.regions = List.copyOf(regions);
        this.input = input;
        this.output = output;
    }

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
            try {
                Region output = Region.allocate(memory, outputBytes);
                return new RankBuffers(
                        List.of(input, output), new Part(input, 0, inputBytes), new Part(output, 0, outputBytes));
            } catch (RuntimeException | Error e) {
                try (input) {
                    throw e;
                }
            }
        }
        Region region = Region.allocate(memory, Math.max(inputBytes, outputBytes));
        long own = rank * shape.sliceBytes();
        return new RankBuffers(
                List.of(region),
                new Part(region, inputBytes < outputBytes ? own : 0, inputBytes),
                new Part(region, outputBytes < inputBytes ? own : 0, outputBytes));
    }

    /** The input. */
    DeviceBuffer input() {
        return input.buffer();
    }

    /** The output; in place it shares memory with the input. */
    DeviceBuffer output() {
        return output.buffer();
    }

    /** The memory as the host sees it, between {@link #upload} and {@link #download} possibly an old state. */
    RankMemory memory() {
        return new RankMemory(
                input.host(),
                output.host(),
                regions.stream()
                        .flatMap(region -> Stream.of(region.hostBefore(), region.hostAfter()))
                        .toList());
    }

    /** Gives the device what was written into {@link #memory}. */
    void upload() {
        regions.forEach(Region::upload);
    }

    /** Shows in {@link #memory} what the device has written. */
    void download() {
        regions.forEach(Region::download);
    }

    /** Writes zeros into input and output. */
    void fillWithZeros() {
        regions.forEach(Region::fillWithZeros);
    }

    /** Frees what {@link #memory} has given, if that are copies: they are as large as the buffers. */
    void forget() {
        regions.forEach(Region::forget);
    }

    @Override
    public void close() {
        try (Region first = regions.getFirst();
                Region last = regions.getLast()) {
            // in place they are one, and closing is idempotent
            assert first != null && last != null;
        }
    }
}
