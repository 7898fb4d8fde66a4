package org.mscclj.cli.emulation;

import java.time.Duration;
import java.util.List;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.CommunicatorOptions;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.Plan;

/**
 * Two ranks on emulated GPUs that use plans and the fallback side by side. First argument: {@code graph} for one graph
 * with launches of both; {@code all} for calls of an environment that gives all collectives to the fallback. Second
 * argument: {@code group} for ranks that are threads; {@code process} if this process is one of the ranks. Prints
 * {@code right}, or fails.
 */
public final class MixedRanks {
    private static final int RANKS = 2;
    private static final int SMALL = 64;
    private static final int LARGE = 5_000;
    private static final int ROUNDS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Communicator communicator;
    private final int rank;
    private final Stream stream;

    private MixedRanks(Communicator communicator) {
        this.communicator = communicator;
        this.rank = communicator.rank();
        this.stream = communicator.stream();
    }

    public static void main(String[] arguments) {
        if (arguments[1].equals("group")) {
            try (LocalGroup group =
                    LocalGroup.open(LocalGroupOptions.ranks(RANKS).backend("cuda"))) {
                group.run(communicator -> run(communicator, arguments[0]));
            }
        } else {
            try (Communicator communicator = Communicator.open(
                    CommunicatorOptions.fromEnvironment().backend("cuda").timeout(LIMIT))) {
                run(communicator, arguments[0]);
            }
        }
        System.out.println("right");
    }

    private static void run(Communicator communicator, String what) {
        MixedRanks ranks = new MixedRanks(communicator);
        if (what.equals("graph")) {
            ranks.graph();
        } else {
            ranks.barrier();
            ranks.reduceScatter();
            ranks.nothing();
            ranks.children();
        }
    }

    private DeviceBuffer ints(int count) {
        return IntBuffers.of(communicator.device(), count, _ -> -1);
    }

    /** A plan for messages of at most {@link #SMALL} ints. */
    private static Plan plan() {
        Plan plan = ShippedProgram.PACKETS.plan(new ProgramSpec(Collective.ALLREDUCE, RANKS, RANKS, 0, true, 1));
        return new Plan(
                "small_messages",
                plan.collective(),
                plan.protocol(),
                plan.inPlace(),
                plan.reuseResources(),
                plan.threadsPerBlock(),
                plan.doubleScratch(),
                plan.bufferAlignment(),
                0,
                (long) SMALL * Integer.BYTES,
                plan.ranks());
    }

    private PreparedOperation prepare(CollectiveCall call, String algorithm) {
        PreparedOperation operation = communicator.prepare(call);
        if (!operation.algorithm().equals(algorithm)) {
            throw new IllegalStateException(operation.algorithm() + " serves a call, not " + algorithm);
        }
        return operation;
    }

    /**
     * One graph: NCCL sums a large message, whose beginning a registered plan sums again, NCCL broadcasts that, and a
     * shipped program gathers it. Each needs what the one before has made.
     */
    private void graph() {
        communicator.plans().register(plan());
        try (DeviceBuffer given = ints(LARGE);
                DeviceBuffer large = ints(LARGE);
                DeviceBuffer small = ints(SMALL);
                DeviceBuffer gathered = ints(RANKS * SMALL);
                PreparedOperation byNccl =
                        prepare(CollectiveCall.allReduce(large, DataType.INT32).algorithm("nccl"), "nccl");
                PreparedOperation byPlan = prepare(CollectiveCall.allReduce(small, DataType.INT32), "small_messages");
                PreparedOperation broadcast = prepare(
                        CollectiveCall.broadcast(small, small, DataType.INT32, 1)
                                .algorithm("nccl"),
                        "nccl");
                PreparedOperation gather = prepare(
                        CollectiveCall.allGather(small, gathered, DataType.INT32)
                                .algorithm("packets"),
                        "packets");
                Graph graph = stream.capture(() -> {
                    stream.copy(given, large);
                    byNccl.launch(stream);
                    stream.copy(large.slice(0, small.byteSize()), small);
                    byPlan.launch(stream);
                    broadcast.launch(stream);
                    gather.launch(stream);
                })) {
            for (int round = 0; round < ROUNDS; round++) {
                int own = 100 * round + 10 * rank;
                IntBuffers.set(given, i -> own + i);
                IntBuffers.set(gathered, _ -> -1);
                graph.launch(stream);
                stream.synchronize(LIMIT);
                int sum = 2 * 100 * round + 10;
                IntBuffers.require("large " + round, large, i -> sum + 2 * i);
                IntBuffers.require("small " + round, small, i -> 2 * (sum + 2 * i));
                IntBuffers.require("gathered " + round, gathered, i -> 2 * (sum + 2 * (i % SMALL)));
                IntBuffers.set(
                        small, i -> rank + i); // calls outside the graph follow it, and go before the next replay
                byPlan.run(LIMIT);
                IntBuffers.require("between " + round, small, i -> 1 + 2 * i);
            }
        }
    }

    /** A barrier of streams is no call for the fallback. */
    private void barrier() {
        communicator.execute(BarrierCall.STREAMS).join(LIMIT);
        communicator.execute(BarrierCall.STREAMS, stream).join(LIMIT);
    }

    /** Parts of different sizes; the input of a part is not changed where the part belongs to another rank. */
    private void reduceScatter() {
        try (DeviceBuffer first = IntBuffers.of(communicator.device(), SMALL, i -> 10 * rank + i);
                DeviceBuffer second = IntBuffers.of(communicator.device(), LARGE, i -> 20 * rank + i);
                DeviceBuffer output = ints(rank == 0 ? SMALL : LARGE)) {
            for (int round = 0; round < ROUNDS; round++) {
                communicator
                        .execute(new ReduceScatterCall(List.of(first, second), output, DataType.INT32, ReduceOp.SUM))
                        .join(LIMIT);
                IntBuffers.require("part", output, i -> (rank == 0 ? 10 : 20) + 2 * i);
                IntBuffers.require("first input", first, i -> 10 * rank + i);
                IntBuffers.require("second input", second, i -> 20 * rank + i);
            }
        }
    }

    /** Communicators that are split and shrunk open the fallback on their own. */
    private void children() {
        broadcast(communicator);
        try (Communicator reversed = communicator.split(0, -rank).orElseThrow()) {
            broadcast(reversed);
            broadcast(communicator);
            try (Communicator shrunk = reversed.shrink(List.of())) {
                broadcast(shrunk);
            }
        }
        broadcast(communicator);
    }

    /** From rank 0 of a communicator. */
    private static void broadcast(Communicator of) {
        try (DeviceBuffer buffer = IntBuffers.of(of.device(), SMALL, i -> 10 * of.rank() + i)) {
            CollectiveCall call = CollectiveCall.broadcast(buffer, buffer, DataType.INT32, 0);
            of.execute(call).join(LIMIT);
            IntBuffers.require("broadcast of " + of.name(), buffer, i -> i);
            if (!of.explain(call).chosen().orElseThrow().name().equals("nccl")) {
                throw new IllegalStateException(of.explain(call).toString());
            }
        }
    }

    /** A call of 0 bytes, before and after one that moves something. */
    private void nothing() {
        try (DeviceBuffer buffer = ints(SMALL)) {
            for (int count : new int[] {0, SMALL, 0}) {
                IntBuffers.set(buffer, i -> rank + i);
                DeviceBuffer part = buffer.slice(0, (long) count * Integer.BYTES);
                communicator.allReduce(part, part, DataType.INT32, ReduceOp.SUM).join(LIMIT);
                IntBuffers.require("allreduce of " + count, buffer, i -> count == 0 ? rank + i : 1 + 2 * i);
            }
        }
    }
}
