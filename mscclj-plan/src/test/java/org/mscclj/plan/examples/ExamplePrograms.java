package org.mscclj.plan.examples;

import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;
import static org.mscclj.plan.ChannelType.MEMORY;
import static org.mscclj.plan.ChannelType.PORT;
import static org.mscclj.plan.ChannelType.SWITCH;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.mscclj.api.type.Collective;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.sketch.BlockSketch;
import org.mscclj.plan.sketch.PlanSketch;

/**
 * The programs behind {@code examples/plans}.
 *
 * <p>Ranks drift: one may still run the launch before while another has begun this one. Therefore no rank accesses a
 * peer's buffer before a signal of the peer's launch has arrived, and no rank ends while a peer may still access its
 * buffers. Stores of a peer's block are read only after its full signal.
 */
public final class ExamplePrograms {
    private ExamplePrograms() {}

    /** All programs. */
    public static List<Plan> all() {
        return List.of(
                allreduceDirect(4),
                allreduceRing(4),
                allreducePackets(),
                allgather(2),
                alltoall(3),
                reducescatter(3),
                broadcast(),
                allreduceMulticast(2),
                sendrecvPort());
    }

    /** Each rank reduces its own chunk over all ranks, and stores the result at all of them. */
    public static Plan allreduceDirect(int ranks) {
        PlanSketch plan = new PlanSketch(
                        "allreduce_direct_" + ranks + "ranks", Collective.ALLREDUCE, Protocol.SIMPLE, true, ranks)
                .chunks(ranks, ranks, 0);
        for (int rank = 0; rank < ranks; rank++) {
            int[] peers = peers(rank, ranks);
            BlockSketch block = plan.block(rank);
            List<ChunkRef> chunk = new ArrayList<>(List.of(own(INPUT, rank)));
            for (int peer : peers) {
                chunk.add(block.of(peer, INPUT, MEMORY, rank, 1));
            }
            // Only this rank accesses chunk "rank" of any buffer, so only the start and the end need order.
            block.tellReady(MEMORY, peers)
                    .awaitReady(MEMORY, peers)
                    .remote(DataKind.READ_REDUCE_SEND, MEMORY, chunk, chunk)
                    .meet(MEMORY, peers);
        }
        return plan.build();
    }

    /**
     * A ring through scratch: partial sums travel once around, then the results do. Every step has its own scratch
     * slot, so that a fast rank overwrites nothing; and since each rank stores into scratch only, buffers need not be
     * registered.
     */
    public static Plan allreduceRing(int ranks) {
        int steps = ranks - 1;
        PlanSketch plan = new PlanSketch(
                        "allreduce_ring_" + ranks + "ranks", Collective.ALLREDUCE, Protocol.SIMPLE, true, ranks)
                .chunks(ranks, ranks, 2 * steps);
        for (int rank = 0; rank < ranks; rank++) {
            int next = (rank + 1) % ranks;
            int previous = (rank + ranks - 1) % ranks;
            BlockSketch block = plan.block(rank);
            // "next" has launched, so it has read its scratch of earlier launches.
            block.tellReady(MEMORY, previous).awaitReady(MEMORY, next);
            for (int step = 0; step < steps; step++) {
                int sent = Math.floorMod(rank - step, ranks);
                int received = Math.floorMod(rank - 1 - step, ranks);
                pass(block, previous, next, sent, step);
                block.local(
                                DataKind.REDUCE,
                                List.of(own(INPUT, received), own(SCRATCH, step)),
                                List.of(own(INPUT, received)))
                        .nop();
            }
            for (int step = 0; step < steps; step++) {
                int sent = Math.floorMod(rank + 1 - step, ranks);
                int received = Math.floorMod(rank - step, ranks);
                pass(block, previous, next, sent, steps + step);
                block.local(DataKind.COPY, List.of(own(SCRATCH, steps + step)), List.of(own(INPUT, received)))
                        .nop();
            }
        }
        return plan.build();
    }

    /** Sends a chunk to the next rank's slot, and waits for the previous rank's. */
    private static void pass(BlockSketch block, int previous, int next, int chunk, int slot) {
        block.remote(
                        DataKind.PUT,
                        MEMORY,
                        List.of(own(INPUT, chunk)),
                        List.of(block.of(next, SCRATCH, MEMORY, slot, 1)))
                .nop()
                .signal(MEMORY, next)
                .await(MEMORY, previous)
                .nop();
    }

    /**
     * Two ranks exchange their inputs as packets, each block one half. Packets need no signals: two halves of scratch
     * separate consecutive launches, and a packet of this launch shows that its sender has read those of the launch
     * before the last.
     */
    public static Plan allreducePackets() {
        PlanSketch plan = new PlanSketch("allreduce_packets_2ranks", Collective.ALLREDUCE, Protocol.LL, true, 2)
                .chunks(2, 2, 2)
                .doubleScratch();
        for (int rank = 0; rank < 2; rank++) {
            for (int half = 0; half < 2; half++) {
                BlockSketch block = plan.block(rank);
                // In place: the nop keeps the sum from overwriting what other threads have yet to send.
                block.connect(MEMORY, 1 - rank)
                        .remote(
                                DataKind.PUT_PACKETS,
                                MEMORY,
                                List.of(own(INPUT, half)),
                                List.of(block.of(1 - rank, SCRATCH, MEMORY, half, 1)))
                        .nop()
                        .local(
                                DataKind.REDUCE_PACKETS,
                                List.of(own(INPUT, half), own(SCRATCH, half)),
                                List.of(own(INPUT, half)));
            }
        }
        return plan.build();
    }

    /** Each rank stores its input into all outputs. */
    public static Plan allgather(int ranks) {
        PlanSketch plan = new PlanSketch(
                        "allgather_" + ranks + "ranks", Collective.ALLGATHER, Protocol.SIMPLE, false, ranks)
                .chunks(1, ranks, 0);
        for (int rank = 0; rank < ranks; rank++) {
            int self = rank;
            scatterOver(plan.block(rank), rank, ranks, _ -> 0, _ -> self);
        }
        return plan.build();
    }

    /** Each rank stores chunk k of its input into rank k's output. */
    public static Plan alltoall(int ranks) {
        PlanSketch plan = new PlanSketch(
                        "alltoall_" + ranks + "ranks", Collective.ALLTOALL, Protocol.SIMPLE, false, ranks)
                .chunks(ranks, ranks, 0);
        for (int rank = 0; rank < ranks; rank++) {
            int self = rank;
            scatterOver(plan.block(rank), rank, ranks, peer -> peer, _ -> self);
        }
        return plan.build();
    }

    /** Stores a chunk of the input into each rank's output, including its own. */
    private static void scatterOver(
            BlockSketch block, int rank, int ranks, IntUnaryOperator chunkFor, IntUnaryOperator placeAt) {
        int[] peers = peers(rank, ranks);
        List<ChunkRef> sources = new ArrayList<>();
        List<ChunkRef> destinations = new ArrayList<>();
        for (int peer : peers) {
            sources.add(own(INPUT, chunkFor.applyAsInt(peer)));
            destinations.add(block.of(peer, OUTPUT, MEMORY, placeAt.applyAsInt(peer), 1));
        }
        block.tellReady(MEMORY, peers)
                .awaitReady(MEMORY, peers)
                .remote(DataKind.PUT, MEMORY, sources, destinations)
                .local(
                        DataKind.COPY,
                        List.of(own(INPUT, chunkFor.applyAsInt(rank))),
                        List.of(own(OUTPUT, placeAt.applyAsInt(rank))))
                .meet(MEMORY, peers);
    }

    /** Each rank reads its chunk of every input. */
    public static Plan reducescatter(int ranks) {
        PlanSketch plan = new PlanSketch(
                        "reducescatter_" + ranks + "ranks", Collective.REDUCESCATTER, Protocol.SIMPLE, false, ranks)
                .chunks(ranks, 1, 0);
        for (int rank = 0; rank < ranks; rank++) {
            int[] peers = peers(rank, ranks);
            BlockSketch block = plan.block(rank);
            List<ChunkRef> sources = new ArrayList<>(List.of(own(INPUT, rank)));
            for (int peer : peers) {
                sources.add(block.of(peer, INPUT, MEMORY, rank, 1));
            }
            block.tellReady(MEMORY, peers)
                    .awaitReady(MEMORY, peers)
                    .remote(DataKind.READ_REDUCE, MEMORY, sources, List.of(own(OUTPUT, 0)))
                    .meet(MEMORY, peers);
        }
        return plan.build();
    }

    /** A binomial tree from rank 0 over four ranks: 0 to 2, then 0 to 1 and 2 to 3. */
    public static Plan broadcast() {
        PlanSketch plan = new PlanSketch("broadcast_4ranks", Collective.BROADCAST, Protocol.SIMPLE, false, 4);
        BlockSketch root = plan.block(0);
        for (int child : new int[] {2, 1}) {
            forward(root, INPUT, child);
        }
        root.local(DataKind.COPY, List.of(own(INPUT, 0)), List.of(own(OUTPUT, 0)));
        plan.block(1).tellReady(MEMORY, 0).await(MEMORY, 0).nop();
        BlockSketch inner = plan.block(2).tellReady(MEMORY, 0).await(MEMORY, 0).nop();
        forward(inner, OUTPUT, 3);
        plan.block(3).tellReady(MEMORY, 2).await(MEMORY, 2).nop();
        return plan.build();
    }

    private static void forward(BlockSketch block, BufferType from, int child) {
        block.awaitReady(MEMORY, child)
                .remote(DataKind.PUT, MEMORY, List.of(own(from, 0)), List.of(block.of(child, OUTPUT, MEMORY, 0, 1)))
                .nop()
                .signal(MEMORY, child);
    }

    /**
     * The switch reduces: for each rank, it reduces one chunk of the scratch of all ranks, and stores the result there.
     */
    public static Plan allreduceMulticast(int ranks) {
        PlanSketch plan = new PlanSketch(
                        "allreduce_multicast_" + ranks + "ranks", Collective.ALLREDUCE, Protocol.SIMPLE, true, ranks)
                .chunks(ranks, ranks, ranks);
        List<Integer> members = IntStream.range(0, ranks).boxed().toList();
        for (int rank = 0; rank < ranks; rank++) {
            int[] peers = peers(rank, ranks);
            BlockSketch block = plan.block(rank);
            ChunkRef ownChunk = block.ofAll(SCRATCH, members, rank, 1);
            // The second synchronisation of the last launch followed all accesses of peers to this scratch.
            block.local(
                            DataKind.COPY,
                            List.of(new ChunkRef.Local(INPUT, 0, ranks)),
                            List.of(new ChunkRef.Local(SCRATCH, 0, ranks)))
                    .meet(MEMORY, peers)
                    .remote(DataKind.SWITCH_REDUCE_STORE, SWITCH, List.of(ownChunk), List.of(ownChunk))
                    .meet(MEMORY, peers)
                    .local(
                            DataKind.COPY,
                            List.of(new ChunkRef.Local(SCRATCH, 0, ranks)),
                            List.of(new ChunkRef.Local(INPUT, 0, ranks)));
        }
        return plan.build();
    }

    /** Two ranks swap their inputs through port channels, so that a DMA engine or a network card moves them. */
    public static Plan sendrecvPort() {
        PlanSketch plan = new PlanSketch("sendrecv_port_2ranks", Collective.SENDRECV, Protocol.SIMPLE, false, 2);
        for (int rank = 0; rank < 2; rank++) {
            int peer = 1 - rank;
            BlockSketch block = plan.block(rank);
            block.tellReady(PORT, peer)
                    .awaitReady(PORT, peer)
                    .port(
                            DataKind.PUT_WITH_SIGNAL,
                            peer,
                            List.of(own(INPUT, 0)),
                            List.of(block.of(peer, OUTPUT, PORT, 0, 1)))
                    .await(PORT, peer)
                    .flush(peer)
                    .nop();
        }
        return plan.build();
    }

    private static ChunkRef own(BufferType buffer, int chunk) {
        return new ChunkRef.Local(buffer, chunk, 1);
    }

    private static int[] peers(int rank, int ranks) {
        return IntStream.range(0, ranks).filter(peer -> peer != rank).toArray();
    }
}
