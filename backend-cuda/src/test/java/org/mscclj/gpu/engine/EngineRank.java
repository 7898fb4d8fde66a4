package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PeerContext;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.engine.Scaling;
import org.mscclj.spi.engine.SumForm;
import org.mscclj.spi.transfer.Transfer;
import org.mscclj.spi.transfer.TransferLanes;
import org.mscclj.spi.transfer.TransferSpec;

/**
 * Rank 0 of a communicator of two ranks with one plan, an allreduce through scratch unless told otherwise, set up as
 * the runtime does it. The peer is memory that nobody uses.
 */
final class EngineRank implements AutoCloseable {
    static final long SLOT_BYTES = 1 << 20;

    private static final TransferLanes LANES = new TransferLanes(List.of(0, 0), 2, 2, 4096, 2);

    private final BackendDevice device;
    private final LaunchOrder order;
    private final AbortFlag abort;
    private final Plan plan;
    private final List<DeviceBuffer> memory = new ArrayList<>();
    private final List<PreparedLaunch> launches = new ArrayList<>();
    private final EngineContext context;

    /**
     * Opens one.
     *
     * @param blocks that its kernels have
     */
    EngineRank(BackendDevice device, int blocks) {
        this(device, ShippedProgram.SCRATCH, blocks);
    }

    private EngineRank(BackendDevice device, ShippedProgram program, int blocks) {
        this(
                device,
                program.plan(new ProgramSpec(Collective.ALLREDUCE, 2, 2, 0, false, blocks)),
                SLOT_BYTES,
                new LaunchOrder(),
                new AbortFlag());
    }

    /** One with an allreduce of a program, whose plan limits the threads of a block. */
    static EngineRank ofThreads(BackendDevice device, ShippedProgram program, int blocks, int threads) {
        ProgramSpec spec =
                ProgramSpec.of(Collective.ALLREDUCE, 2).blocks(blocks).threads(threads);
        return new EngineRank(device, program.plan(spec), SLOT_BYTES, new LaunchOrder(), new AbortFlag());
    }

    /** One with an allreduce of packets, whose blocks are fused. */
    static EngineRank ofPackets(BackendDevice device, int blocks) {
        return new EngineRank(device, ShippedProgram.PACKETS, blocks);
    }

    private EngineRank(BackendDevice device, Plan plan, long slotBytes, LaunchOrder order, AbortFlag abort) {
        this.device = device;
        this.order = order;
        this.abort = abort;
        this.plan = plan;
        ChannelPairing memoryPairing = ChannelPairing.of(plan, ChannelType.MEMORY);
        ChannelPairing portPairing = ChannelPairing.of(plan, ChannelType.PORT);
        List<PeerContext> peers = new ArrayList<>();
        for (int rank = 0; rank < plan.worldSize(); rank++) {
            ContextLayout layout = ContextLayout.of(plan, memoryPairing, portPairing, rank, slotBytes);
            DeviceBuffer scratch = allocate(layout.scratchBytes());
            DeviceBuffer counters = allocate(layout.counterBytes());
            peers.add(new PeerContext(OptionalLong.of(scratch.address()), OptionalLong.of(counters.address())));
        }
        this.context = device.planEngine()
                .open(new ContextSpec(
                        plan,
                        memoryPairing,
                        portPairing,
                        0,
                        slotBytes,
                        1,
                        memory.get(0),
                        memory.get(1),
                        peers,
                        List.of(),
                        Map.of(),
                        order,
                        abort));
    }

    /** One that sends and receives messages. */
    static EngineRank ofMessages(BackendDevice device) {
        EngineRank rank = new EngineRank(device, LANES.plan(), LANES.slotBytes(), new LaunchOrder(), new AbortFlag());
        rank.context.readyForTransfers();
        return rank;
    }

    /** The same rank of the same communicator, with another context of that plan. */
    EngineRank another() {
        return new EngineRank(device, plan, SLOT_BYTES, order, abort);
    }

    private DeviceBuffer allocate(long bytes) {
        DeviceBuffer buffer = device.allocate(bytes);
        memory.add(buffer);
        return buffer;
    }

    LaunchOrder order() {
        return order;
    }

    AbortFlag abort() {
        return abort;
    }

    EngineContext context() {
        return context;
    }

    /** What whoever launches holds, and whoever looks for what has ended. */
    ReentrantLock queueLock() {
        return ((GpuPlanContext) context).queue().lock();
    }

    /** Bytes of each slice that a round moves at most. */
    long roundBytes() {
        return LaunchGeometry.of(plan, 1, SLOT_BYTES).fullRoundBytes();
    }

    /** An allreduce of so many bytes, which are closed with this. */
    PreparedLaunch prepare(long bytes, ReduceOp op) {
        List<PeerBuffers> buffers = new ArrayList<>();
        int first = memory.size();
        for (int rank = 0; rank < plan.worldSize(); rank++) {
            DeviceBuffer input = allocate(Math.max(bytes, Float.BYTES));
            DeviceBuffer output = allocate(Math.max(bytes, Float.BYTES));
            buffers.add(new PeerBuffers(OptionalLong.of(input.address()), OptionalLong.of(output.address())));
        }
        DeviceBuffer input = memory.get(first).slice(0, bytes);
        DeviceBuffer output = memory.get(first + 1).slice(0, bytes);
        Optional<Scaling> scaling = op.kind() == ReduceOp.Kind.AVG
                ? Optional.of(new Scaling(
                        // of as many ranks as need a kernel before the plan and one after it
                        SumForm.of(DataType.FLOAT32, op.kind(), 3), input, output, DataType.FLOAT32, op, true))
                : Optional.empty();
        PreparedLaunch launch = context.prepare(new LaunchSpec(
                input,
                output,
                DataType.FLOAT32,
                scaling.isPresent() ? ReduceOp.SUM : op, // an average is a sum with a scaling
                scaling,
                PacketType.LL16,
                LaunchGeometry.of(plan, bytes, SLOT_BYTES),
                buffers,
                List.of(),
                List.of()));
        launches.add(launch);
        return launch;
    }

    /** The same, a sum. */
    PreparedLaunch prepare(long bytes) {
        return prepare(bytes, ReduceOp.SUM);
    }

    /**
     * A message of so many bytes to the peer, one from there, and one to this rank itself, several of each, which are
     * closed with this.
     *
     * @param messages of each
     */
    PreparedLaunch prepareMessages(int messages, long bytes) {
        List<Transfer> transfers = new ArrayList<>();
        List<TransferSpec.LocalCopy> copies = new ArrayList<>();
        for (int message = 0; message < messages; message++) {
            long sent = allocate(bytes).address();
            long received = allocate(bytes).address();
            transfers.add(new Transfer(true, 1, sent, bytes));
            transfers.add(new Transfer(false, 1, received, bytes));
            copies.add(new TransferSpec.LocalCopy(sent, allocate(bytes).address(), bytes));
        }
        PreparedLaunch launch = context.prepare(new TransferSpec(LANES, transfers, copies, List.of()));
        launches.add(launch);
        return launch;
    }

    /** Closes its launches, the context and the memory, in this order, as the runtime does. */
    @Override
    public void close() {
        launches.forEach(PreparedLaunch::close);
        context.close();
        memory.reversed().forEach(DeviceBuffer::close);
        memory.clear();
    }
}
