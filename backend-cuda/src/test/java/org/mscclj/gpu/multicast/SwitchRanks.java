package org.mscclj.gpu.multicast;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.cuda.CudaBackendProvider;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.EngineContext;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PeerContext;
import org.mscclj.spi.engine.PreparedLaunch;

/**
 * Ranks of one process with a plan, each on a GPU of its own, as the runtime sets them up. Their scratch, input and
 * output are bound to a multicast group. Launches use its addresses for switch channels, or do not.
 */
final class SwitchRanks implements AutoCloseable {
    private static final long SECONDS = 60;

    private final Plan plan;
    private final long slotBytes;
    private final long bufferBytes;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<BackendDevice> devices = new ArrayList<>();
    private final List<Stream> streams = new ArrayList<>();
    private final List<EngineContext> contexts = new ArrayList<>();
    private final List<DeviceBuffer> inputs = new ArrayList<>();
    private final List<DeviceBuffer> outputs = new ArrayList<>();
    private final List<Long> groups = new ArrayList<>();
    private final Map<List<Object>, Long> mappings = new HashMap<>();
    private final long scratchBytes;

    /**
     * Opens ranks.
     *
     * @param inPlace whether the output is the input
     * @param bufferBytes bytes of input and output, at most
     */
    SwitchRanks(Plan plan, boolean inPlace, long slotBytes, long bufferBytes) {
        this.plan = plan;
        this.slotBytes = slotBytes;
        this.bufferBytes = roundUp(bufferBytes);
        int ranks = plan.worldSize();
        Backend backend = new CudaBackendProvider().open(BackendOptions.threads());
        opened.add(backend::close);
        for (int rank = 0; rank < ranks; rank++) {
            devices.add(opened(backend.openDevice(rank)));
            streams.add(opened(devices.get(rank).createStream()));
        }
        ChannelPairing memory = ChannelPairing.of(plan, ChannelType.MEMORY);
        ChannelPairing ports = ChannelPairing.of(plan, ChannelType.PORT);
        List<ContextLayout> layouts = IntStream.range(0, ranks)
                .mapToObj(rank -> ContextLayout.of(plan, memory, ports, rank, slotBytes))
                .toList();
        this.scratchBytes = layouts.stream()
                .mapToLong(layout -> roundUp(layout.scratchBytes()))
                .max()
                .orElseThrow();
        List<DeviceBuffer> scratch = allocate(scratchBytes);
        inputs.addAll(allocate(this.bufferBytes));
        outputs.addAll(inPlace ? inputs : allocate(this.bufferBytes));
        List<DeviceBuffer> counters = IntStream.range(0, ranks)
                .mapToObj(rank ->
                        opened(devices.get(rank).allocate(layouts.get(rank).counterBytes())))
                .toList();
        join(scratch);
        AbortFlag abort = new AbortFlag();
        for (int rank = 0; rank < ranks; rank++) {
            int own = rank;
            List<PeerContext> peers = IntStream.range(0, ranks)
                    .mapToObj(peer -> new PeerContext(
                            mapped(own, peer, scratch.get(peer)), mapped(own, peer, counters.get(peer))))
                    .toList();
            ContextSpec spec = new ContextSpec(
                    plan,
                    memory,
                    ports,
                    rank,
                    slotBytes,
                    1,
                    scratch.get(rank),
                    counters.get(rank),
                    peers,
                    List.of(),
                    Map.of(),
                    new LaunchOrder(),
                    abort);
            contexts.add(opened(devices.get(rank).planEngine().open(spec)));
        }
    }

    private static long roundUp(long bytes) {
        return Math.ceilDiv(Math.max(bytes, 1), MulticastObject.GRANULARITY) * MulticastObject.GRANULARITY;
    }

    private <T extends AutoCloseable> T opened(T one) {
        opened.add(one);
        return one;
    }

    private List<DeviceBuffer> allocate(long bytes) {
        return devices.stream().map(device -> opened(device.allocate(bytes))).toList();
    }

    private OptionalLong mapped(int rank, int peer, DeviceBuffer memory) {
        BackendDevice device = devices.get(rank);
        return OptionalLong.of(
                rank == peer
                        ? memory.address()
                        : opened(device.map(devices.get(peer).export(memory))).address());
    }

    /** The positions in the group are scratch, input and output, with a hole of one unit before the input. */
    private void join(List<DeviceBuffer> scratch) {
        MulticastObject group = opened(MulticastObject.create(
                devices.size(), scratchBytes + MulticastObject.GRANULARITY + 2 * bufferBytes, false));
        for (int rank = 0; rank < devices.size(); rank++) {
            group.add(rank);
        }
        for (int rank = 0; rank < devices.size(); rank++) {
            group.bind(rank, 0, scratch.get(rank).address(), scratchBytes);
            group.bind(rank, position(BufferType.INPUT), inputs.get(rank).address(), bufferBytes);
            if (!outputs.equals(inputs)) {
                group.bind(rank, position(BufferType.OUTPUT), outputs.get(rank).address(), bufferBytes);
            }
            MulticastObject.enter(rank);
            groups.add(group.map(rank));
        }
    }

    private long position(BufferType buffer) {
        long input = scratchBytes + MulticastObject.GRANULARITY;
        return switch (buffer) {
            case SCRATCH -> 0;
            case INPUT -> input;
            case OUTPUT -> input + bufferBytes;
        };
    }

    /**
     * A call.
     *
     * @param contents the inputs of the ranks
     * @param shift bytes before input and output in their memory
     * @param outputBytes bytes of each output
     * @param sliceBytes bytes of a slice
     */
    record Call(
            List<byte[]> contents,
            int shift,
            int outputBytes,
            int sliceBytes,
            DataType type,
            ReduceOp op,
            PacketType packets) {}

    /**
     * Runs a call, and returns the outputs.
     *
     * @param multicast whether switch channels have multicast addresses
     */
    List<byte[]> run(Call call, boolean multicast) {
        List<PreparedLaunch> launches = new ArrayList<>();
        try {
            for (int rank = 0; rank < devices.size(); rank++) {
                write(outputs.get(rank), call.shift(), new byte[call.outputBytes()]);
                write(inputs.get(rank), call.shift(), call.contents().get(rank));
            }
            for (int rank = 0; rank < devices.size(); rank++) {
                launches.add(contexts.get(rank).prepare(launch(rank, call, multicast)));
            }
            for (int rank = 0; rank < devices.size(); rank++) {
                launches.get(rank).enqueue(streams.get(rank), false);
            }
            for (PreparedLaunch launch : launches) {
                if (!launch.await(1, TimeUnit.SECONDS.toNanos(SECONDS))) {
                    throw new IllegalStateException("a launch has not ended after " + SECONDS + " s");
                }
            }
            return outputs.stream()
                    .map(output -> read(output, call.shift(), call.outputBytes()))
                    .toList();
        } finally {
            launches.forEach(PreparedLaunch::close);
        }
    }

    private LaunchSpec launch(int rank, Call call, boolean multicast) {
        List<PeerBuffers> buffers = IntStream.range(0, devices.size())
                .mapToObj(peer -> new PeerBuffers(
                        address(rank, peer, inputs.get(peer), call.shift()),
                        address(rank, peer, outputs.get(peer), call.shift())))
                .toList();
        List<OptionalLong> addresses = plan.ranks().get(rank).switchGroups().stream()
                .map(group -> multicast
                        ? OptionalLong.of(groups.get(rank)
                                + position(group.buffer())
                                + (group.buffer() == BufferType.SCRATCH ? 0 : call.shift()))
                        : OptionalLong.empty())
                .toList();
        return new LaunchSpec(
                inputs.get(rank).slice(call.shift(), call.contents().get(rank).length),
                outputs.get(rank).slice(call.shift(), call.outputBytes()),
                call.type(),
                call.op(),
                Optional.empty(),
                call.packets(),
                LaunchGeometry.of(plan, call.sliceBytes(), slotBytes),
                buffers,
                List.of(),
                addresses);
    }

    private OptionalLong address(int rank, int peer, DeviceBuffer memory, int shift) {
        long start = mappings.computeIfAbsent(
                List.of(rank, memory.address()), _ -> mapped(rank, peer, memory).getAsLong());
        return OptionalLong.of(start + shift);
    }

    private static void write(DeviceBuffer memory, int shift, byte[] content) {
        try (Arena arena = Arena.ofConfined()) {
            memory.slice(shift, content.length).copyFrom(arena.allocateFrom(ValueLayout.JAVA_BYTE, content));
        }
    }

    private static byte[] read(DeviceBuffer memory, int shift, int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment content = arena.allocate(bytes);
            memory.slice(shift, bytes).copyTo(content);
            return content.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }
}
