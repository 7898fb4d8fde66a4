package org.mscclj.conformance.rank.channel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.Communicator;
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
 * Runs a kernel that uses every operation of channels, between all ranks of a node, several times, and compares every
 * byte.
 */
final class DeviceChannelCheck implements RankCheck {
    private static final int ROUNDS = 3;
    private static final int BLOCKS = 4;
    private static final int THREADS = 256;
    private static final long DONE = 100;
    private static final int LINE = 128;

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        Device device = communicator.device();
        try (Opened opened = new Opened()) {
            DeviceKernel kernel =
                    opened.add(device.compile(KernelSource.EXCHANGE.text(), "exchange"), DeviceKernel::close);
            int ranks = communicator.ranksPerNode();
            if (ranks == 1) {
                context.report(FindingKind.NO_PART, "there is no other rank on this node");
                return;
            }
            DeviceExchange exchange = new DeviceExchange(ranks, context.test().seed());
            DeviceChannelMesh mesh =
                    DeviceChannelMesh.make(communicator, exchange.byteSize(), exchange.packets(), opened);
            DeviceBuffer status = opened.add(device.allocate(Long.BYTES), DeviceBuffer::close);
            DeviceBuffer arguments = arguments(device, exchange, mesh, communicator.rank() % ranks, opened);
            Stream stream = opened.add(device.createStream(), Stream::close);
            for (int flag = 1; flag <= ROUNDS; flag++) {
                int of = flag;
                round(context, exchange, mesh.buffer(), flag, status, () -> {
                    kernel.launch(stream, BLOCKS, THREADS, 0, arguments.address(), of, status.address());
                    context.synchronize(stream);
                });
            }
        }
    }

    /** Returns the structure {@code Exchange} of the kernel, in memory of the device. */
    private static DeviceBuffer arguments(
            Device device, DeviceExchange exchange, DeviceChannelMesh mesh, int rank, Opened opened) {
        DeviceBuffer meeting = opened.add(device.allocate(2 * LINE), DeviceBuffer::close);
        DeviceBuffer cells = opened.add(device.allocate(BLOCKS * Long.BYTES), DeviceBuffer::close);
        long[] words = {
            KernelArguments.upload(device, mesh.memory(), opened).address(),
            KernelArguments.upload(device, mesh.port(), opened).address(),
            meeting.address(),
            meeting.address() + LINE,
            cells.address(),
            exchange.ranks(),
            rank,
            DeviceExchange.BYTES,
            DeviceExchange.PAYLOAD,
            DeviceExchange.slots(),
            DeviceExchange.SLOT_BYTES,
            exchange.packets()
        };
        return KernelArguments.upload(device, MemorySegment.ofArray(words), opened);
    }

    private static void round(
            RankContext context,
            DeviceExchange exchange,
            DeviceBuffer buffer,
            int flag,
            DeviceBuffer status,
            Runnable run) {
        int rank = context.rank() % exchange.ranks();
        DeviceBuffer compared = buffer.slice(0, exchange.packets());
        try (Arena arena = Arena.ofConfined()) {
            compared.copyFrom(exchange.before(arena, rank, flag));
            status.copyFrom(arena.allocate(Long.BYTES));
            context.communicator().barrier(); // the memory of all ranks is ready
            run.run();
            context.communicator().barrier(); // no rank reads it any more
            MemorySegment result = arena.allocate(Long.BYTES);
            status.copyTo(result);
            long end = result.get(ValueLayout.JAVA_LONG, 0);
            if (end != DONE) {
                context.report(FindingKind.BEHAVIOUR, "the kernel ended with status " + end + "; right is " + DONE);
            }
            MemorySegment found = arena.allocate(compared.byteSize());
            compared.copyTo(found);
            long wrong = found.mismatch(exchange.after(arena, rank, flag));
            if (wrong >= 0) {
                context.report(
                        FindingKind.BEHAVIOUR,
                        "round " + flag + ": " + DeviceExchange.place(wrong) + " is wrong on rank " + context.rank());
            }
        }
    }
}
