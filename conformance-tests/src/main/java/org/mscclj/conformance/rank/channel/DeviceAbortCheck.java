package org.mscclj.conformance.rank.channel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.DeviceKernel;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.rank.kernel.KernelSource;
import org.mscclj.conformance.task.Opened;

/** Checks kernels that wait for signals which no rank sends, until the last rank aborts. */
final class DeviceAbortCheck implements RankCheck {
    private static final long ENDED_WITHOUT = 2;

    @Override
    public void check(RankContext context) {
        Communicator communicator = context.communicator();
        Device device = communicator.device();
        try (Opened opened = new Opened()) {
            DeviceKernel kernel =
                    opened.add(device.compile(KernelSource.EXCHANGE.text(), "inVain"), DeviceKernel::close);
            int ranks = communicator.ranksPerNode();
            if (ranks == 1) {
                context.report(FindingKind.NO_PART, "there is no other rank on this node");
                return;
            }
            DeviceExchange exchange = new DeviceExchange(ranks, context.test().seed());
            DeviceChannelMesh mesh =
                    DeviceChannelMesh.make(communicator, exchange.byteSize(), exchange.packets(), opened);
            DeviceBuffer status = opened.add(device.allocate(Long.BYTES), DeviceBuffer::close);
            Stream stream = opened.add(device.createStream(), Stream::close);
            int peer = communicator.rank() % ranks == 0 ? 1 : 0;
            long channel = mesh.memory().getAtIndex(ValueLayout.JAVA_LONG, peer);
            try {
                communicator.barrier(); // no rank loads a kernel while others run
            } catch (AbortedException e) {
                context.report(FindingKind.NO_PART, "the abort was here before all others: " + e.getMessage());
                return;
            }
            kernel.launch(stream, 1, 1, 0, channel, status.address());
            if (communicator.rank() == communicator.size() - 1) {
                communicator.abort("conformance: this rank aborts on purpose");
            }
            stream.synchronize(context.timeout());
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment result = arena.allocate(Long.BYTES);
                status.copyTo(result);
                long end = result.get(ValueLayout.JAVA_LONG, 0);
                if (end != ENDED_WITHOUT) {
                    context.report(
                            FindingKind.BEHAVIOUR,
                            "a wait that an abort ends gave status " + end + "; right is " + ENDED_WITHOUT);
                }
            }
        }
    }
}
