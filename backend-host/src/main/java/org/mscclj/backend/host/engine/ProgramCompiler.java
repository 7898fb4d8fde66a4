package org.mscclj.backend.host.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.reduce.ReduceKernel;
import org.mscclj.backend.host.step.CopyStep;
import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.LaunchBuffers;
import org.mscclj.backend.host.step.PipelineStep;
import org.mscclj.backend.host.step.PortStep;
import org.mscclj.backend.host.step.ProxyRange;
import org.mscclj.backend.host.step.ReduceStep;
import org.mscclj.backend.host.step.StepOperand;
import org.mscclj.backend.host.step.TracedStep;
import org.mscclj.backend.host.step.packet.AwaitPacketsStep;
import org.mscclj.backend.host.step.packet.ForwardStep;
import org.mscclj.backend.host.step.packet.PackStep;
import org.mscclj.backend.host.step.packet.PacketReduceStep;
import org.mscclj.backend.host.step.packet.UnpackStep;
import org.mscclj.backend.host.step.sync.BarrierStep;
import org.mscclj.backend.host.step.sync.SemaphoreAcquireStep;
import org.mscclj.backend.host.step.sync.SemaphoreReleaseStep;
import org.mscclj.backend.host.step.sync.SignalStep;
import org.mscclj.backend.host.step.sync.WaitStep;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.engine.PortBuffers.Region;
import org.mscclj.spi.proxy.Trigger;
import org.mscclj.spi.trace.ContextTrace;

/**
 * Compiles the operations of a rank. The steps are valid for launches of any size on any buffers: operands take layout
 * and buffers when a round begins.
 *
 * <p>Nops are removed: one thread at a time carries out a block, in program order. Relaxed signals and waits become
 * full ones.
 */
final class ProgramCompiler {
    private static final long STAGING_ALIGNMENT = 64;

    private final HostContext context;
    private final DataType type;
    private final ReduceOp.Kind op;
    private final StepMemory memory;
    private final MappedNeeds needs;
    private long zeros;

    /**
     * A compiler.
     *
     * @param type the type of the elements
     * @param op the operation of the call; {@code nop} if it reduces nothing
     * @param memory memory of the steps
     * @param needs receives the buffers that launches must have mapped
     */
    ProgramCompiler(HostContext context, DataType type, ReduceOp.Kind op, StepMemory memory, MappedNeeds needs) {
        this.context = context;
        this.type = type;
        this.op = op;
        this.memory = memory;
        this.needs = needs;
    }

    /** The steps of every block, in the order of the blocks. */
    List<HostStep[]> compile() {
        return context.rankPlan().threadBlocks().stream()
                .map(block -> new BlockCompiler(block).compile(block.operations()))
                .toList();
    }

    /** Zeros that all reductions read where a source is padding. */
    private long zeros() {
        if (zeros == 0) {
            zeros = memory.allocate(ReduceStep.zeroBytes(), STAGING_ALIGNMENT);
        }
        return zeros;
    }

    private final class BlockCompiler {
        private final ThreadBlock block;
        private final OperandFactory operands;
        private long staging;
        private long stagingBytes;

        BlockCompiler(ThreadBlock block) {
            this.block = block;
            this.operands = new OperandFactory(context, needs, block);
        }

        HostStep[] compile(List<Operation> operations) {
            List<HostStep> steps = new ArrayList<>();
            for (Operation operation : operations) {
                int first = steps.size();
                compile(operation, steps);
                context.trace().ifPresent(trace -> trace(operation, steps.subList(first, steps.size()), trace));
            }
            return steps.toArray(HostStep[]::new);
        }

        private void trace(Operation operation, List<HostStep> steps, ContextTrace trace) {
            steps.replaceAll(step -> TracedStep.of(step, trace, block.id(), operation.label()));
        }

        private void compile(Operation operation, List<HostStep> steps) {
            switch (operation) {
                case Operation.Nop _ -> {}
                case Operation.Barrier barrier -> steps.add(new BarrierStep(context.barrier(barrier.id())));
                case Operation.SemaphoreAcquire acquire ->
                    steps.add(new SemaphoreAcquireStep(context.semaphores(), ints(acquire.semaphoreIds())));
                case Operation.SemaphoreRelease release ->
                    steps.add(new SemaphoreReleaseStep(context.semaphores(), ints(release.semaphoreIds())));
                case Operation.Signal signal -> signal(signal, steps);
                case Operation.Wait wait -> steps.add(await(wait));
                case Operation.Flush flush ->
                    flush.channelIds().forEach(id -> steps.add(port(id, List.of(), Trigger.FLUSH)));
                case Operation.Pipeline pipeline ->
                    steps.add(new PipelineStep(compile(pipeline.operations()), pipeline.unitSize(), pipeline.chunks()));
                case Operation.Data data -> data(data, steps);
            }
        }

        private void signal(Operation.Signal signal, List<HostStep> steps) {
            if (signal.channelType() == ChannelType.PORT) {
                signal.channelIds().forEach(id -> steps.add(port(id, List.of(), Trigger.SIGNAL)));
                return;
            }
            int[] channels = channels(signal.channelIds(), ChannelType.MEMORY);
            long[] counters =
                    IntStream.of(channels).mapToLong(this::peerCounter).toArray();
            steps.add(new SignalStep(context.memorySent(), channels, counters));
        }

        private long peerCounter(int channel) {
            ChannelPairing.Endpoint partner =
                    context.spec().memoryPairing().partner(context.spec().rank(), channel);
            long counters = context.counters(partner.rank())
                    .orElseThrow(() -> new UnsupportedException("plan "
                            + context.spec().plan().label() + ", rank "
                            + context.spec().rank() + ", block " + block.id()
                            + ": the counters of rank " + partner.rank()
                            + " are not mapped here; memory channels need ranks that share memory"));
            return counters + peerCounterOffset(partner);
        }

        private long peerCounterOffset(ChannelPairing.Endpoint partner) {
            return context.layoutOf(partner.rank()).counterOffset(ChannelType.MEMORY, partner.slot());
        }

        private HostStep await(Operation.Wait wait) {
            int[] channels = channels(wait.channelIds(), wait.channelType());
            long[] counters = IntStream.of(channels)
                    .mapToLong(channel -> context.spec().counters().address()
                            + context.layout().counterOffset(wait.channelType(), channel))
                    .toArray();
            return new WaitStep(context.awaited(wait.channelType()), channels, counters);
        }

        /** Converts an operation's channels, which are indices in the block's list, to the rank's channel numbers. */
        private int[] channels(List<Integer> ids, ChannelType type) {
            return ids.stream().mapToInt(id -> block.channels(type).get(id)).toArray();
        }

        private void data(Operation.Data data, List<HostStep> steps) {
            boolean port =
                    data.channelType().filter(type -> type == ChannelType.PORT).isPresent();
            switch (data.kind()) {
                case PUT, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH -> {
                    if (port) {
                        portPuts(data, steps);
                    } else {
                        copies(data, steps);
                    }
                }
                case GET, COPY -> copies(data, steps);
                case REDUCE, REDUCE_SEND, READ_REDUCE, READ_REDUCE_SEND ->
                    steps.add(reduce(all(data.sources(), data, false), all(data.destinations(), data, false), data));
                case PUT_PACKETS -> {
                    if (port) {
                        portPuts(data, steps);
                    } else {
                        packs(data, steps);
                    }
                }
                case COPY_PACKETS -> packs(data, steps);
                case READ_PUT_PACKETS -> {
                    StepOperand source = one(data.sources().getFirst(), data, true);
                    if (port) {
                        steps.add(new AwaitPacketsStep(source));
                        portPuts(data, steps);
                    } else {
                        steps.add(new ForwardStep(source, all(data.destinations(), data, true)));
                    }
                }
                case UNPACK_PACKETS -> {
                    for (int i = 0; i < data.sources().size(); i++) {
                        steps.add(new UnpackStep(
                                one(data.sources().get(i), data, true),
                                one(data.destinations().get(i), data, false),
                                staging(PackStep.stagingBytes())));
                    }
                }
                case REDUCE_PACKETS, REDUCE_SEND_PACKETS, REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS ->
                    steps.add(packetReduce(data));
                case SWITCH_STORE -> {
                    for (int i = 0; i < data.sources().size(); i++) {
                        steps.add(new CopyStep(
                                one(data.sources().get(i), data, false),
                                operands.members(data.destinations().get(i), data.share(), false)));
                    }
                }
                case SWITCH_STORE_PACKETS -> {
                    for (int i = 0; i < data.sources().size(); i++) {
                        steps.add(new ForwardStep(
                                one(data.sources().get(i), data, true),
                                operands.members(data.destinations().get(i), data.share(), true)));
                    }
                }
                case SWITCH_REDUCE_STORE ->
                    steps.add(reduce(
                            operands.members(data.sources().getFirst(), data.share(), false),
                            operands.members(data.destinations().getFirst(), data.share(), false),
                            data));
            }
        }

        private void copies(Operation.Data data, List<HostStep> steps) {
            for (int i = 0; i < data.sources().size(); i++) {
                steps.add(new CopyStep(
                        one(data.sources().get(i), data, false),
                        new StepOperand[] {one(data.destinations().get(i), data, false)}));
            }
        }

        private void packs(Operation.Data data, List<HostStep> steps) {
            for (int i = 0; i < data.sources().size(); i++) {
                steps.add(new PackStep(
                        one(data.sources().get(i), data, false),
                        new StepOperand[] {one(data.destinations().get(i), data, true)},
                        staging(PackStep.stagingBytes())));
            }
        }

        private HostStep reduce(StepOperand[] sources, StepOperand[] destinations, Operation.Data data) {
            return new ReduceStep(sources, destinations, kernel(data), zeros());
        }

        private HostStep packetReduce(Operation.Data data) {
            List<ChunkRef> packets = data.sources().subList(1, data.sources().size());
            StepOperand plain = one(data.sources().getFirst(), data, false);
            return new PacketReduceStep(
                    plain,
                    data.packetsBeforePlain(),
                    all(packets, data, true),
                    one(data.destinations().getFirst(), data, false),
                    all(data.destinations().subList(1, data.destinations().size()), data, true),
                    kernel(data),
                    type.byteSize(),
                    staging(PacketReduceStep.stagingBytes(packets.size())));
        }

        /**
         * The kernel of the operation that the plan fixes, or else of the operation that the caller passes. A plan that
         * fixes an operation is never run with another one.
         */
        private ReduceKernel kernel(Operation.Data data) {
            ReduceOp.Kind asked = op == ReduceOp.Kind.NOP ? ReduceOp.Kind.SUM : op.combiner();
            return ReduceKernel.of(type, data.reduceOp().orElse(asked));
        }

        /** Queues the copy of each destination; every channel that signals does so after its last copy. */
        private void portPuts(Operation.Data data, List<HostStep> steps) {
            boolean packets = data.kind().packets();
            int finalType = switch (data.kind()) {
                case PUT_WITH_SIGNAL -> Trigger.SIGNAL;
                case PUT_WITH_SIGNAL_AND_FLUSH -> Trigger.SIGNAL | Trigger.FLUSH;
                default -> 0;
            };
            int pairs = data.destinations().size();
            boolean ownChannels = data.channelIds().size() == pairs;
            List<ProxyRange> shared = new ArrayList<>();
            for (int i = 0; i < pairs; i++) {
                int channelId = data.channelIds().get(ownChannels ? i : 0);
                ChunkRef source = data.sources().get(Math.min(i, data.sources().size() - 1));
                ProxyRange range = portRange(source, data.destinations().get(i), channelId, data, packets);
                if (ownChannels) {
                    steps.add(port(channelId, List.of(range), finalType));
                } else {
                    shared.add(range);
                }
            }
            if (!ownChannels) {
                steps.add(port(data.channelIds().getFirst(), shared, finalType));
            }
        }

        private ProxyRange portRange(
                ChunkRef source, ChunkRef destination, int channelId, Operation.Data data, boolean packets) {
            int channel = block.portChannels().get(channelId);
            PortBinding binding = context.spec().ports().get(channel);
            Function<LaunchBuffers, Region> from = switch (operands.buffer(source, ChannelType.PORT)) {
                case INPUT -> buffers -> buffers.port(channel).input();
                case OUTPUT -> buffers -> buffers.port(channel).output();
                case SCRATCH -> scratch(binding.scratchId());
            };
            Function<LaunchBuffers, Region> to = switch (operands.buffer(destination, ChannelType.PORT)) {
                case INPUT -> buffers -> buffers.port(channel).peerInput();
                case OUTPUT -> buffers -> buffers.port(channel).peerOutput();
                case SCRATCH -> scratch(binding.peerScratchId());
            };
            return new ProxyRange(
                    offsets(source, data, packets, from),
                    buffers -> from.apply(buffers).id(),
                    offsets(destination, data, packets, to),
                    buffers -> to.apply(buffers).id(),
                    packets);
        }

        private static Function<LaunchBuffers, Region> scratch(int id) {
            Region region = new Region(id, 0);
            return _ -> region;
        }

        private StepOperand offsets(
                ChunkRef ref, Operation.Data data, boolean packets, Function<LaunchBuffers, Region> region) {
            return operands.offsets(
                    ref,
                    ChannelType.PORT,
                    data.share(),
                    packets,
                    buffers -> region.apply(buffers).offset());
        }

        private HostStep port(int channelId, List<ProxyRange> ranges, int finalType) {
            PortBinding binding =
                    context.spec().ports().get(block.portChannels().get(channelId));
            return new PortStep(binding.fifo(), binding.semaphoreId(), ranges.toArray(ProxyRange[]::new), finalType);
        }

        private StepOperand one(ChunkRef ref, Operation.Data data, boolean packets) {
            return operands.mapped(ref, data.channelType().orElse(ChannelType.MEMORY), data.share(), packets);
        }

        private StepOperand[] all(List<ChunkRef> refs, Operation.Data data, boolean packets) {
            return refs.stream().map(ref -> one(ref, data, packets)).toArray(StepOperand[]::new);
        }

        /**
         * Memory that the steps of the block share: one step runs at a time, and no step keeps data there between
         * turns.
         */
        private long staging(long bytes) {
            if (bytes > stagingBytes) {
                staging = memory.allocate(bytes, STAGING_ALIGNMENT);
                stagingBytes = bytes;
            }
            return staging;
        }
    }

    private static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }
}
