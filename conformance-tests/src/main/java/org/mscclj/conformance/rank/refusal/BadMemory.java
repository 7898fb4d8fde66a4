package org.mscclj.conformance.rank.refusal;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.type.DataType;

/** Bad sizes, ranges and lists of ranks. All ranks make the calls in one order. */
final class BadMemory {
    private BadMemory() {}

    /**
     * Returns the calls.
     *
     * @param buffer any memory
     */
    static List<BadCall> of(Communicator communicator, DeviceBuffer buffer) {
        List<BadCall> calls = new ArrayList<>();
        long bytes = buffer.byteSize();
        calls.add(BadCall.of(
                "allocating -1 bytes", () -> communicator.allocate(-1).close(), -1, "0 or more"));
        calls.add(BadCall.of(
                "allocating -1 bytes of a device",
                () -> communicator.device().allocate(-1).close(),
                -1,
                "0 or more"));
        calls.add(BadCall.of(
                "allocating -1 bytes of the host",
                () -> communicator.device().allocateHost(-1).close(),
                -1,
                "0 or more"));
        calls.add(BadCall.of(
                "allocating -1 elements",
                () -> communicator.allocate(DataType.INT8, -1).close(),
                -1,
                "0 or more"));
        calls.add(BadCall.withNull("type", "allocate", () -> communicator.allocate(Nothing.at(), 1)));
        calls.add(slice(buffer, -1, 1));
        calls.add(slice(buffer, 0, -1));
        calls.add(slice(buffer, 0, bytes + 1));
        calls.add(slice(buffer, bytes, 1));
        calls.add(slice(buffer, 1, Long.MAX_VALUE));
        calls.add(slice(buffer, Long.MAX_VALUE, 1));
        for (long size : new long[] {bytes - 1, bytes + 1}) {
            calls.add(BadCall.of("copying " + size + " bytes to " + bytes, () -> copyFrom(buffer, size), size, bytes));
            calls.add(BadCall.of("copying " + bytes + " bytes to " + size, () -> copyTo(buffer, size), size, bytes));
        }
        calls.add(BadCall.withNull("source", "copyFrom", () -> buffer.copyFrom(Nothing.at())));
        calls.add(BadCall.withNull("destination", "copyTo", () -> buffer.copyTo(Nothing.at())));
        addRegistrations(communicator, calls);
        addSplits(communicator, calls);
        addShrinks(communicator, calls);
        addComparisons(communicator, calls);
        calls.addAll(BadTimeouts.of(communicator, buffer));
        return calls;
    }

    private static void addRegistrations(Communicator communicator, List<BadCall> calls) {
        Duration soon = communicator.timeout();
        DeviceBuffer closed = communicator.device().allocate(64);
        closed.close();
        calls.add(BadCall.of("registering a closed buffer", () -> communicator.register(closed), "closed"));
        calls.add(BadCall.of(
                "registering a closed buffer within a timeout", () -> communicator.register(closed, soon), "closed"));
        calls.add(BadCall.of(
                "registering memory of allocate",
                () -> {
                    try (DeviceBuffer registered = communicator.allocate(64)) {
                        communicator.register(registered);
                    }
                },
                "registered"));
        calls.add(BadCall.withNull("buffer", "register", () -> communicator.register(Nothing.at())));
        calls.add(BadCall.withNull("classes", "warmUp", () -> communicator.warmUp(Nothing.at())));
        calls.add(BadCall.of(
                "warming up calls that are smaller than an element",
                () -> communicator.warmUp(List.of(WarmUp.allReduce(DataType.INT32, 1))),
                "warm-up"));
    }

    private static void addComparisons(Communicator communicator, List<BadCall> calls) {
        if (communicator.size() > 1) {
            calls.add(BadCall.of(
                    "comparing what differs",
                    () -> communicator.requireEqual(
                            "conformance",
                            () -> new byte[] {(byte) communicator.rank()},
                            value -> "this is " + value[0]),
                    "ranks [0]: this is 0",
                    "ranks [1]: this is 1",
                    "the same on all ranks"));
        }
        Supplier<byte[]> value = () -> new byte[1];
        Function<byte[], String> describer = Arrays::toString;
        Duration soon = Duration.ofSeconds(1);
        calls.add(BadCall.withNull(
                "what", "requireEqual", () -> communicator.requireEqual(Nothing.at(), value, describer)));
        calls.add(BadCall.withNull(
                "value", "requireEqual", () -> communicator.requireEqual("x", Nothing.at(), describer)));
        calls.add(BadCall.withNull(
                "describer", "requireEqual", () -> communicator.requireEqual("x", value, Nothing.at())));
        calls.add(BadCall.withNull(
                "what",
                "requireEqual with a timeout",
                () -> communicator.requireEqual(Nothing.at(), value, describer, soon)));
        calls.add(BadCall.withNull(
                "value",
                "requireEqual with a timeout",
                () -> communicator.requireEqual("x", Nothing.at(), describer, soon)));
        calls.add(BadCall.withNull(
                "describer",
                "requireEqual with a timeout",
                () -> communicator.requireEqual("x", value, Nothing.at(), soon)));
    }

    private static BadCall slice(DeviceBuffer buffer, long offset, long bytes) {
        return BadCall.of(
                bytes + " bytes from offset " + offset,
                () -> buffer.slice(offset, bytes),
                offset,
                bytes,
                buffer.byteSize());
    }

    private static void copyFrom(DeviceBuffer buffer, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            buffer.copyFrom(arena.allocate(bytes));
        }
    }

    private static void copyTo(DeviceBuffer buffer, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            buffer.copyTo(arena.allocate(bytes));
        }
    }

    private static void addSplits(Communicator communicator, List<BadCall> calls) {
        int size = communicator.size();
        int rank = communicator.rank();
        List<Integer> all = IntStream.range(0, size).boxed().toList();
        for (int bad : new int[] {-1, size}) {
            calls.add(split(communicator, with(all, bad), bad, "0 to " + (size - 1)));
        }
        calls.add(split(communicator, with(all, rank), with(all, rank), "once"));
        if (size > 1) {
            List<Integer> others = all.stream().filter(other -> other != rank).toList();
            calls.add(split(communicator, others, others, "calling rank " + rank));
            List<Integer> reversed = new ArrayList<>(all);
            Collections.reverse(reversed);
            calls.add(split(communicator, rank == 0 ? all : reversed, all, reversed, "same list"));
        }
        calls.add(BadCall.of(
                "splitting by colour -2",
                () -> communicator.split(-2, 0).ifPresent(Communicator::close),
                -2,
                "0 or more, or -1"));
        calls.add(BadCall.withNull("ranks", "split", () -> communicator.split(Nothing.at(), "conformance")));
        calls.add(BadCall.withNull("name", "split", () -> communicator.split(all, Nothing.at())));
    }

    private static List<Integer> with(List<Integer> ranks, int more) {
        List<Integer> longer = new ArrayList<>(ranks);
        longer.add(more);
        return longer;
    }

    private static BadCall split(Communicator communicator, List<Integer> ranks, Object... words) {
        return BadCall.of(
                "splitting into " + ranks,
                () -> communicator.split(ranks, "conformance").ifPresent(Communicator::close),
                words);
    }

    private static void addShrinks(Communicator communicator, List<BadCall> calls) {
        int size = communicator.size();
        int other = (communicator.rank() + 1) % size;
        for (int bad : new int[] {-1, size}) {
            calls.add(shrink(communicator, List.of(bad), bad, "0 to " + (size - 1)));
        }
        calls.add(shrink(communicator, List.of(communicator.rank()), "calling rank " + communicator.rank()));
        if (size > 1) {
            calls.add(shrink(communicator, List.of(other, other), List.of(other, other), "once"));
        }
        calls.add(BadCall.withNull("excluded", "shrink", () -> communicator.shrink(Nothing.at())));
        calls.add(BadCall.withNull("quorum", "reconfigure", () -> communicator.reconfigure(Nothing.at())));
        calls.add(BadCall.withNull("reason", "abort", () -> communicator.abort(Nothing.at())));
        calls.add(BadCall.withNull("hook", "addHook", () -> communicator.addHook(Nothing.at())));
    }

    private static BadCall shrink(Communicator communicator, List<Integer> excluded, Object... words) {
        return BadCall.of(
                "shrinking without " + excluded,
                () -> communicator.shrink(excluded).close(),
                words);
    }
}
