package org.mscclj.conformance.rank.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.mscclj.api.Communicator;
import org.mscclj.api.Window;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.kernel.KernelArguments;
import org.mscclj.conformance.rank.kernel.KernelSource;
import org.mscclj.conformance.task.Opened;

/**
 * Runs a kernel that puts, gets and signals between all ranks, several times, with signals of the host before and after
 * it.
 */
final class DeviceWindowCheck implements RankCheck {
    private static final int ROUNDS = 3;
    private static final int BLOCKS = 4;
    private static final int THREADS = 256;
    private static final long DONE = 100;
    /** Odd, and no multiple of any number of threads. */
    private static final int BYTES = 70_003;

    private static final int SLOT = 70_144;
    private static final int SHIFT = 5;
    private static final byte UNTOUCHED = 0x5a;

    private static byte[] numbers(int rank, int round) {
        byte[] numbers = new byte[BYTES];
        new SplittableRandom(100L * rank + round).nextBytes(numbers);
        return numbers;
    }

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        Device device = communicator.device();
        int world = context.test().world();
        try (Opened opened = new Opened()) {
            DeviceKernel kernel = opened.add(device.compile(KernelSource.WINDOW.text(), "access"), DeviceKernel::close);
            DeviceBuffer memory = opened.add(device.allocate((1L + world) * SLOT), DeviceBuffer::close);
            DeviceBuffer got = opened.add(device.allocate((long) world * SLOT), DeviceBuffer::close);
            DeviceBuffer syncer = opened.add(device.allocate(Long.BYTES), DeviceBuffer::close);
            DeviceBuffer status = opened.add(device.allocate(Long.BYTES), DeviceBuffer::close);
            Window window = opened.add(communicator.openWindow(memory), Window::close);
            long[] words = {window.deviceHandle(), syncer.address(), got.address(), BYTES, SLOT, SHIFT};
            DeviceBuffer arguments = KernelArguments.upload(device, MemorySegment.ofArray(words), opened);
            Stream stream = opened.add(device.createStream(), Stream::close);
            signalFromTheHost(context, window);
            for (int round = 0; round < ROUNDS; round++) {
                byte[] before = new byte[(1 + world) * SLOT];
                Arrays.fill(before, UNTOUCHED);
                System.arraycopy(numbers(context.rank(), round), 0, before, 0, BYTES);
                memory.copyFrom(MemorySegment.ofArray(before));
                status.copyFrom(MemorySegment.ofArray(new long[1]));
                communicator.barrier(); // the memory of all ranks is ready
                kernel.launch(stream, BLOCKS, THREADS, 0, arguments.address(), status.address());
                context.synchronize(stream);
                compare(context, round, before, memory, got, status);
                communicator.barrier(); // no rank reads it any more
            }
            signalFromTheHost(context, window);
        }
    }

    /** Signals by launches, which must find exactly the expected number of signals. */
    private static void signalFromTheHost(RankContext context, Window window) {
        int world = context.test().world();
        if (world > 1) {
            context.join(window.signal((context.rank() + 1) % world));
            context.join(window.waitSignal((context.rank() + world - 1) % world));
        }
    }

    private static void compare(
            RankContext context, int round, byte[] before, DeviceBuffer memory, DeviceBuffer got, DeviceBuffer status) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(Long.BYTES);
            status.copyTo(result);
            long end = result.get(ValueLayout.JAVA_LONG, 0);
            if (end != DONE) {
                context.report(FindingKind.BEHAVIOUR, "the kernel ended with status " + end + "; right is " + DONE);
            }
        }
        byte[] put = new byte[before.length];
        memory.copyTo(MemorySegment.ofArray(put));
        byte[] expected = before.clone();
        byte[] read = new byte[(int) got.byteSize()];
        got.copyTo(MemorySegment.ofArray(read));
        for (int rank = 0; rank < context.test().world(); rank++) {
            if (rank != context.rank()) {
                byte[] theirs = numbers(rank, round);
                System.arraycopy(theirs, SHIFT, expected, (1 + rank) * SLOT + SHIFT, BYTES - SHIFT);
                report(
                        context,
                        "round " + round + ": what was got from rank " + rank,
                        Arrays.copyOfRange(read, rank * SLOT, rank * SLOT + BYTES),
                        theirs);
            }
        }
        report(context, "round " + round + ": the window's memory", put, expected);
    }

    private static void report(RankContext context, String what, byte[] found, byte[] right) {
        int at = Arrays.mismatch(right, found);
        if (at >= 0) {
            context.report(
                    FindingKind.BEHAVIOUR, what + ": byte " + at + " is " + found[at] + ", right is " + right[at]);
        }
    }
}
