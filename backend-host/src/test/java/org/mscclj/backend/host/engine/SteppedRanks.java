package org.mscclj.backend.host.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.LaunchBuffers;
import org.mscclj.backend.host.step.LaunchRound;
import org.mscclj.backend.host.step.PipelineStep;
import org.mscclj.backend.host.step.StepContext;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.plan.validation.FixedReduceOp;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PeerContext;

/**
 * All ranks of a plan in one thread: the steps that the engine compiles, over real memory, one step of one block at a
 * time, in an order that is given from outside. Who can do a step: the thread blocks of all ranks, each rank's
 * application, whose step is to look at the last launch's result, fill the buffers anew and launch, and the proxies of
 * all port channels, whose step is a trigger.
 */
final class SteppedRanks implements AutoCloseable {
    /** Launches in a row: more than the verifier follows, so that what only shows later is seen. */
    static final int LAUNCHES = 5;

    private static final byte POISON = 0x5A;

    /** Held before later ones of a launch, a proxy is not. */
    private static final int MAX_TRIGGERS = 16;

    /** What became of an attempt to do a step. */
    enum Outcome {
        DONE,
        WAITS,
        ENDED
    }

    /** A thread block between two of its steps. */
    private static final class BlockState {
        final int rank;
        final LaunchRound round;
        final List<Part> steps;
        final StepContext context = new StepContext();
        int next;
        boolean begun;
        boolean running;

        BlockState(int rank, HostStep[] steps, LaunchRound round) {
            this.rank = rank;
            this.round = round;
            this.steps =
                    Arrays.stream(steps).flatMap(step -> Part.of(step, round)).toList();
        }
    }

    /**
     * A step, or one of an iteration of a pipeline, so that others can come between the steps of a pipeline.
     *
     * @param step what to do
     * @param from where in its ranges
     * @param to up to where
     */
    private record Part(HostStep step, long from, long to) {
        static Stream<Part> of(HostStep step, LaunchRound round) {
            return step instanceof PipelineStep pipeline
                    ? LongStream.range(0, pipeline.iterations(round))
                            .boxed()
                            .flatMap(iteration -> Arrays.stream(pipeline.inner())
                                    .map(inner -> new Part(
                                            inner, iteration * pipeline.unit(), (iteration + 1) * pipeline.unit())))
                    : Stream.of(new Part(step, 0, Long.MAX_VALUE));
        }
    }

    private final Plan plan;
    private final CollectiveValues values;
    private final SteppedMemory memory;
    private final List<DeviceBuffer> scratch = new ArrayList<>();
    private final List<DeviceBuffer> counters = new ArrayList<>();
    private final List<DeviceBuffer> inputs = new ArrayList<>();
    private final List<DeviceBuffer> outputs = new ArrayList<>();
    private final List<DeviceBuffer> allocated = new ArrayList<>();
    private final List<HostContext> contexts = new ArrayList<>();
    private final Arena arena = Arena.ofConfined();
    private final StepMemory staging = new StepMemory();
    private final List<BlockState> blocks = new ArrayList<>();

    /** Of each rank, by port channel. */
    private final List<List<SteppedProxy>> proxies = new ArrayList<>();

    private final List<SteppedProxy> allProxies;
    private final int[] launches;
    private Optional<String> wrong = Optional.empty();

    /** A fresh group before its first launch, whose chunks have so many bytes. */
    SteppedRanks(Plan plan, int chunkBytes, SteppedMemory memory) {
        this.plan = plan;
        this.memory = memory;
        this.values = new CollectiveValues(plan, chunkBytes / Integer.BYTES);
        this.launches = new int[plan.worldSize()];
        ChannelPairing memoryPairing = ChannelPairing.of(plan, ChannelType.MEMORY);
        ChannelPairing portPairing = ChannelPairing.of(plan, ChannelType.PORT);
        for (RankPlan rank : plan.ranks()) {
            ContextLayout layout = ContextLayout.of(plan, memoryPairing, portPairing, rank.rank(), chunkBytes);
            scratch.add(allocate(layout.scratchBytes()));
            counters.add(allocate(layout.counterBytes()));
            openBuffers(rank, chunkBytes);
        }
        for (RankPlan rank : plan.ranks()) {
            proxies.add(openProxies(rank, memoryPairing, portPairing, chunkBytes));
        }
        allProxies = proxies.stream().flatMap(List::stream).toList();
        LaunchGeometry geometry =
                LaunchGeometry.of(plan, (long) LaunchGeometry.chunksPerSlice(plan) * chunkBytes, chunkBytes);
        LaunchOrder order = new LaunchOrder();
        for (RankPlan rank : plan.ranks()) {
            HostContext context = new HostContext(
                    new ContextSpec(
                            plan,
                            memoryPairing,
                            portPairing,
                            rank.rank(),
                            chunkBytes,
                            1,
                            scratch.get(rank.rank()),
                            counters.get(rank.rank()),
                            all(peer -> new PeerContext(address(scratch, peer), address(counters, peer))),
                            proxies.get(rank.rank()).stream()
                                    .map(SteppedProxy::binding)
                                    .toList(),
                            Map.of(),
                            order,
                            new AbortFlag()),
                    memory.memory().scheduler());
            contexts.add(context);
            LaunchSpec launch = new LaunchSpec(
                    inputs.get(rank.rank()),
                    outputs.get(rank.rank()),
                    DataType.INT32,
                    FixedReduceOp.of(plan).map(kind -> new ReduceOp(kind, 1)).orElse(ReduceOp.SUM),
                    Optional.empty(),
                    PacketType.LL8,
                    geometry,
                    all(peer -> new PeerBuffers(address(inputs, peer), address(outputs, peer))),
                    rank.portChannelPeers().stream()
                            .map(_ -> SteppedProxy.buffers())
                            .toList(),
                    rank.switchGroups().stream().map(_ -> OptionalLong.empty()).toList());
            LaunchRound round = new LaunchRound(geometry.round(0), new LaunchBuffers(launch));
            new ProgramCompiler(context, launch.type(), launch.op().kind(), staging, new MappedNeeds())
                    .compile()
                    .forEach(steps -> blocks.add(new BlockState(rank.rank(), steps, round)));
        }
    }

    /** Whether a plan can be stepped. */
    static boolean supports(Plan plan) {
        return CollectiveValues.supports(plan.collective());
    }

    private void openBuffers(RankPlan rank, int chunkBytes) {
        long inputBytes = (long) rank.inputChunks() * chunkBytes;
        long outputBytes = (long) rank.outputChunks() * chunkBytes;
        if (!plan.inPlace()) {
            inputs.add(allocate(inputBytes));
            outputs.add(allocate(outputBytes));
            return;
        }
        DeviceBuffer shared = allocate(Math.max(inputBytes, outputBytes));
        inputs.add(inputBytes < outputBytes ? shared.slice(rank.rank() * inputBytes, inputBytes) : shared);
        outputs.add(outputBytes < inputBytes ? shared.slice(rank.rank() * outputBytes, outputBytes) : shared);
    }

    private List<SteppedProxy> openProxies(
            RankPlan rank, ChannelPairing memoryPairing, ChannelPairing portPairing, int chunkBytes) {
        List<SteppedProxy> ofRank = new ArrayList<>();
        for (int channel = 0; channel < rank.portChannelPeers().size(); channel++) {
            ChannelPairing.Endpoint partner = portPairing.partner(rank.rank(), channel);
            ContextLayout layout = ContextLayout.of(plan, memoryPairing, portPairing, partner.rank(), chunkBytes);
            ofRank.add(new SteppedProxy(
                    arena.allocate(SteppedProxy.ringBytes(), Long.BYTES),
                    buffersOf(rank.rank()),
                    buffersOf(partner.rank()),
                    counters.get(partner.rank()).address() + layout.counterOffset(ChannelType.PORT, partner.slot())));
        }
        return ofRank;
    }

    private List<DeviceBuffer> buffersOf(int rank) {
        return List.of(inputs.get(rank), outputs.get(rank), scratch.get(rank));
    }

    private DeviceBuffer allocate(long bytes) {
        DeviceBuffer buffer = memory.take(bytes);
        allocated.add(buffer);
        return buffer;
    }

    private <T> List<T> all(IntFunction<T> ofRank) {
        return IntStream.range(0, plan.worldSize()).mapToObj(ofRank).toList();
    }

    private static OptionalLong address(List<DeviceBuffer> buffers, int rank) {
        return OptionalLong.of(buffers.get(rank).address());
    }

    /** How many can do steps: first the applications, by rank, then the blocks, then the proxies. */
    int actors() {
        return launches.length + blocks.size() + allProxies.size();
    }

    /** An upper bound of the steps of an actor. */
    int stepsOf(int actor) {
        int block = actor - launches.length;
        int proxy = block - blocks.size();
        if (proxy >= 0) {
            return LAUNCHES * MAX_TRIGGERS;
        }
        return block >= 0 ? LAUNCHES * (blocks.get(block).steps.size() + 1) : LAUNCHES + 1;
    }

    /** What was wrong with a result so far. */
    Optional<String> wrong() {
        return wrong;
    }

    /** Lets somebody do a step. */
    Outcome step(int actor) {
        int block = actor - launches.length;
        int proxy = block - blocks.size();
        if (proxy >= 0) {
            return allProxies.get(proxy).step() ? Outcome.DONE : Outcome.WAITS;
        }
        return block >= 0 ? step(blocks.get(block)) : launch(actor);
    }

    private Outcome launch(int rank) {
        if (blocks.stream().anyMatch(block -> block.rank == rank && block.running)
                || !proxies.get(rank).stream().allMatch(SteppedProxy::isIdle)) { // a launch ends with a flush
            return Outcome.WAITS;
        }
        if (launches[rank] > 0 && wrong.isEmpty()) {
            wrong = values.check(rank, launches[rank] - 1, outputs.get(rank).segment());
        }
        if (launches[rank] >= LAUNCHES) {
            return Outcome.ENDED;
        }
        outputs.get(rank).segment().fill(POISON);
        MemorySegment input = inputs.get(rank).segment();
        for (int i = 0; i < input.byteSize() / Integer.BYTES; i++) {
            input.setAtIndex(ValueLayout.JAVA_INT, i, values.input(rank, launches[rank], i));
        }
        HostContext context = contexts.get(rank);
        int flag = context.takeFlag();
        context.semaphores().reset();
        for (BlockState block : blocks) {
            if (block.rank == rank) {
                block.context.start(flag, 0, block.round);
                block.next = 0;
                block.begun = false;
                block.running = true;
            }
        }
        launches[rank]++;
        return Outcome.DONE;
    }

    private static Outcome step(BlockState block) {
        if (!block.running) {
            return Outcome.WAITS;
        }
        if (block.next == block.steps.size()) {
            block.running = false;
            return Outcome.DONE;
        }
        Part part = block.steps.get(block.next);
        block.context.startTurn();
        if (!block.begun) {
            part.step.begin(block.context, part.from, part.to);
            block.begun = true;
        }
        int outcome = part.step.advance(block.context);
        if (outcome == HostStep.ENDED) {
            block.next++;
            block.begun = false;
            return Outcome.DONE;
        }
        return outcome == HostStep.PAUSED ? Outcome.DONE : Outcome.WAITS;
    }

    /** Whether all launches of all ranks have ended and been looked at. */
    boolean isEnded() {
        return IntStream.range(0, launches.length).allMatch(rank -> launches[rank] == LAUNCHES)
                && blocks.stream().noneMatch(block -> block.running);
    }

    @Override
    public void close() {
        staging.close();
        arena.close();
        memory.giveBack(allocated);
    }
}
