package org.mscclj.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.json.PlanWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures the time to read, validate and write a plan file of 4 MB, far larger than any in use. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PlanParsing {
    private static final int BYTES = 4_000_000;
    private static final int RANKS = 16;

    private Plan plan;
    private byte[] json;

    /** Creates a plan of the requested size. */
    @Setup
    public void generate() {
        int blocks = 1;
        do {
            plan = exchange(blocks++);
            json = PlanWriter.write(plan).getBytes(StandardCharsets.UTF_8);
        } while (json.length < BYTES);
        System.out.println(json.length + " bytes, " + RANKS + " ranks, " + (blocks - 1) + " blocks a rank");
    }

    /** Reads and validates the plan. */
    @Benchmark
    public Plan read() {
        return PlanReader.read(json, "generated");
    }

    /** Writes the plan. */
    @Benchmark
    public String write() {
        return PlanWriter.write(plan);
    }

    /** Each block reduces chunks over all ranks and stores them at all ranks, between signals. */
    private static Plan exchange(int blocks) {
        List<RankPlan> ranks = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            List<Integer> peers = new ArrayList<>();
            List<RemoteBuffer> buffers = new ArrayList<>();
            for (int peer = 0; peer < RANKS; peer++) {
                if (peer != rank) {
                    peers.add(peer);
                    buffers.add(new RemoteBuffer(peer, BufferType.INPUT, List.of(ChannelType.MEMORY)));
                }
            }
            List<ThreadBlock> threadBlocks = new ArrayList<>();
            for (int block = 0; block < blocks; block++) {
                threadBlocks.add(block(block, rank, peers.size()));
            }
            ranks.add(
                    new RankPlan(rank, RANKS, RANKS, 0, threadBlocks, peers, List.of(), List.of(), buffers, List.of()));
        }
        return new Plan("generated", Collective.ALLREDUCE, Protocol.SIMPLE, true, false, 1024, false, 16, 0, -1, ranks);
    }

    private static ThreadBlock block(int id, int rank, int peers) {
        List<Integer> channels = new ArrayList<>();
        List<ChunkRef> chunks = new ArrayList<>(List.of(new ChunkRef.Local(BufferType.INPUT, rank, 1)));
        for (int peer = 0; peer < peers; peer++) {
            channels.add(peer);
            chunks.add(new ChunkRef.Remote(peer, rank, 1));
        }
        Operation nop = new Operation.Nop();
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            operations.addAll(List.of(
                    nop,
                    new Operation.Signal(ChannelType.MEMORY, channels, i == 0),
                    new Operation.Wait(ChannelType.MEMORY, channels, i == 0),
                    nop,
                    new Operation.Data(
                            DataKind.READ_REDUCE_SEND,
                            Optional.of(ChannelType.MEMORY),
                            List.of(),
                            chunks,
                            chunks,
                            new BlockShare(i, 8),
                            Optional.empty())));
        }
        return new ThreadBlock(id, operations, channels, List.of(), List.of(), channels, List.of());
    }
}
