package org.mscclj.support.interpreter;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.pairing.ChannelPairing;
import org.mscclj.spi.engine.AbortFlag;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchOrder;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PeerBuffers;
import org.mscclj.spi.engine.PeerContext;
import org.mscclj.support.ffm.ProcessMemory;

/** All ranks of an allreduce plan without port channels, on int32, each in a thread of its own. */
final class InterpretedRanks implements AutoCloseable {
    private final Plan plan;
    private final int count;
    private final ArenaDevice device = new ArenaDevice();
    private final List<DeviceBuffer> buffers = new ArrayList<>();
    private final List<DeviceBuffer> inputs;
    private final List<DeviceBuffer> outputs;
    private final List<PlanInterpreter> interpreters = new ArrayList<>();
    private final List<LaunchSpec> launches = new ArrayList<>();
    final AbortFlag abort = new AbortFlag();

    /**
     * Ranks before their first launch.
     *
     * @param count number of elements
     * @param slotBytes bytes of a slot of scratch, which determine the number of rounds
     * @param firstFlag flag of the first round
     * @param mapped whether ranks have mapped the memory of their peers
     */
    InterpretedRanks(Plan plan, int count, long slotBytes, int firstFlag, boolean mapped) {
        this(plan, DataType.INT32, count, slotBytes, firstFlag, mapped);
    }

    /**
     * Like {@link #InterpretedRanks(Plan, int, long, int, boolean)}, of any collective.
     *
     * @param type a type of 4 bytes
     */
    InterpretedRanks(Plan plan, DataType type, int count, long slotBytes, int firstFlag, boolean mapped) {
        this.plan = plan;
        this.count = count;
        ChannelPairing memory = ChannelPairing.of(plan, ChannelType.MEMORY);
        ChannelPairing port = ChannelPairing.of(plan, ChannelType.PORT);
        IntFunction<ContextLayout> layouts = rank -> ContextLayout.of(plan, memory, port, rank, slotBytes);
        List<DeviceBuffer> scratch = all(rank -> allocate(layouts.apply(rank).scratchBytes()));
        List<DeviceBuffer> counters = all(rank -> allocate(layouts.apply(rank).counterBytes()));
        inputs = all(_ -> allocate((long) count * Integer.BYTES));
        outputs = plan.inPlace() ? inputs : all(_ -> allocate((long) count * Integer.BYTES));
        for (int rank = 0; rank < plan.worldSize(); rank++) {
            interpreters.add(new PlanInterpreter(
                    new ContextSpec(
                            plan,
                            memory,
                            port,
                            rank,
                            slotBytes,
                            firstFlag,
                            scratch.get(rank),
                            counters.get(rank),
                            all(peer ->
                                    new PeerContext(address(scratch, peer, mapped), address(counters, peer, mapped))),
                            List.of(),
                            Map.of(),
                            new LaunchOrder(),
                            abort),
                    new ProcessMemory()));
            launches.add(new LaunchSpec(
                    inputs.get(rank),
                    outputs.get(rank),
                    type,
                    ReduceOp.SUM,
                    Optional.empty(),
                    PacketType.LL8,
                    LaunchGeometry.of(plan, (long) count * Integer.BYTES, slotBytes),
                    all(peer -> new PeerBuffers(address(inputs, peer, mapped), address(outputs, peer, mapped))),
                    List.of(),
                    plan.ranks().get(rank).switchGroups().stream()
                            .map(_ -> OptionalLong.empty())
                            .toList()));
        }
    }

    private <T> List<T> all(IntFunction<T> ofRank) {
        return IntStream.range(0, plan.worldSize()).mapToObj(ofRank).toList();
    }

    private DeviceBuffer allocate(long bytes) {
        DeviceBuffer buffer = device.allocate(bytes);
        buffers.add(buffer);
        return buffer;
    }

    private static OptionalLong address(List<DeviceBuffer> of, int rank, boolean mapped) {
        return mapped ? OptionalLong.of(of.get(rank).address()) : OptionalLong.empty();
    }

    /** Checks on a rank that everything is mapped. */
    void requireMapped(int rank) {
        interpreters.get(rank).requireMapped(launches.get(rank));
    }

    /** Starts one launch on a rank. */
    Thread start(int rank, Runnable afterwards) {
        return Thread.ofPlatform().daemon().start(() -> {
            interpreters.get(rank).run(launches.get(rank));
            afterwards.run();
        });
    }

    /** The input of a rank. */
    DeviceBuffer input(int rank) {
        return inputs.get(rank);
    }

    /** The output of a rank. */
    DeviceBuffer output(int rank) {
        return outputs.get(rank);
    }

    /** Fills the inputs, launches on all ranks, and checks the outputs. */
    void launchAndCheck(int launch) throws InterruptedException {
        for (int rank = 0; rank < plan.worldSize(); rank++) {
            for (int i = 0; i < count; i++) {
                inputs.get(rank).segment().setAtIndex(ValueLayout.JAVA_INT, i, (rank + 1) * (i + launch));
            }
        }
        CountDownLatch ended = new CountDownLatch(plan.worldSize());
        for (int rank = 0; rank < plan.worldSize(); rank++) {
            Thread _ = start(rank, ended::countDown);
        }
        Assertions.assertTrue(ended.await(60, TimeUnit.SECONDS), "launch " + launch + " does not end");
        int ranks = plan.worldSize() * (plan.worldSize() + 1) / 2;
        for (DeviceBuffer output : outputs) {
            for (int i = 0; i < count; i++) {
                int position = i;
                Assertions.assertEquals(
                        ranks * (i + launch),
                        output.segment().getAtIndex(ValueLayout.JAVA_INT, i),
                        () -> "launch " + launch + ", element " + position);
            }
        }
    }

    @Override
    public void close() {
        buffers.forEach(DeviceBuffer::close);
        device.close();
    }
}
