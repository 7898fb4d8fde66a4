package org.mscclj.language.pass;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
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
import org.mscclj.plan.SwitchGroup;

/**
 * Random valid steps of a block of rank 1 of two: no operation's destination partially overlaps one of its operands.
 * The next step often uses a result, so that many adjacent steps can be fused.
 */
final class RandomSteps {
    static final int RANK = 1;
    private static final int CHUNKS = 4;
    private static final List<BufferType> PLAIN = List.of(BufferType.INPUT, BufferType.OUTPUT);

    private final SplittableRandom random;
    private final boolean packets;
    private final Plan plan;
    private final TestMemory memory;
    private ChunkRef.Local result = new ChunkRef.Local(BufferType.INPUT, 0, 1);

    RandomSteps(long seed) {
        random = new SplittableRandom(seed);
        packets = random.nextBoolean();
        boolean gather = random.nextBoolean();
        plan = declared(
                gather ? Collective.ALLGATHER : Collective.ALLREDUCE,
                packets ? Protocol.LL : Protocol.SIMPLE,
                random.nextInt(3) > 0,
                gather ? CHUNKS / 2 : CHUNKS);
        memory = new TestMemory(plan);
    }

    private static Plan declared(Collective collective, Protocol protocol, boolean inPlace, int inputs) {
        List<RankPlan> ranks = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            List<RemoteBuffer> remote = new ArrayList<>();
            for (BufferType buffer : BufferType.values()) {
                remote.add(new RemoteBuffer(1 - rank, buffer, List.of(ChannelType.MEMORY, ChannelType.PORT)));
            }
            ranks.add(new RankPlan(
                    rank,
                    inputs,
                    CHUNKS,
                    CHUNKS,
                    List.of(),
                    List.of(1 - rank, 1 - rank, 1 - rank),
                    List.of(1 - rank, 1 - rank),
                    List.of(new SwitchGroup(BufferType.OUTPUT, List.of(0, 1))),
                    remote,
                    List.of(5, 5)));
        }
        return new Plan("random", collective, protocol, inPlace, false, 1024, false, 16, 0, -1, ranks);
    }

    Plan plan() {
        return plan;
    }

    ChunkRanges ranges() {
        return new ChunkRanges(plan, plan.ranks().get(RANK));
    }

    /** Steps, optionally with pipelines. */
    List<BlockStep> steps(int count, boolean loops) {
        List<BlockStep> steps = new ArrayList<>();
        while (steps.size() < count) {
            if (loops && random.nextInt(4) == 0) {
                steps.add(new BlockStep.Loop(
                        16L * random.nextInt(1, 3), random.nextInt(1, 3), steps(random.nextInt(1, 6), false)));
            } else {
                steps.add(step());
            }
        }
        return steps;
    }

    private BlockStep step() {
        if (random.nextInt(5) == 0) {
            return new BlockStep.Run(sync(), random.nextInt(3) == 0, random.nextInt(3) == 0);
        }
        Operation.Data data;
        do {
            data = data();
        } while (overlapsItself(data));
        if (data.destinations().getFirst() instanceof ChunkRef.Local local) {
            result = local;
        }
        return BlockStep.Run.of(data);
    }

    private Operation sync() {
        int id = random.nextInt(2);
        return switch (random.nextInt(8)) {
            case 0 -> new Operation.Nop();
            case 1 -> new Operation.Barrier(0, 2);
            case 2 -> new Operation.Signal(ChannelType.PORT, List.of(id), false);
            case 3 -> new Operation.Signal(ChannelType.MEMORY, List.of(random.nextInt(3)), random.nextBoolean());
            case 4 -> new Operation.Wait(ChannelType.MEMORY, List.of(random.nextInt(3)), random.nextBoolean());
            case 5 -> new Operation.Flush(ChannelType.PORT, List.of(id));
            case 6 -> new Operation.SemaphoreAcquire(List.of(id));
            default -> new Operation.SemaphoreRelease(List.of(id));
        };
    }

    private Operation.Data data() {
        int size = random.nextInt(3) == 0 ? 2 : 1;
        ChunkRef.Local plain = random.nextInt(3) > 0 && result.size() == size && result.buffer() != BufferType.SCRATCH
                ? result
                : plain(size);
        ChunkRef.Local packet = result.buffer() == BufferType.SCRATCH && result.size() == size && random.nextBoolean()
                ? result
                : (ChunkRef.Local) local(BufferType.SCRATCH, size);
        if (packets) {
            return switch (random.nextInt(8)) {
                case 0 -> memory(DataKind.PUT_PACKETS, List.of(plain), List.of(remote(BufferType.SCRATCH, size)));
                case 1 -> memory(DataKind.READ_PUT_PACKETS, List.of(packet), List.of(remote(BufferType.SCRATCH, size)));
                case 2 -> local(DataKind.COPY_PACKETS, List.of(plain), List.of(packet));
                case 3 -> local(DataKind.UNPACK_PACKETS, List.of(packet), List.of(plain(size)));
                case 4 -> local(DataKind.COPY, List.of(plain), List.of(plain(size)));
                case 5 -> local(DataKind.REDUCE, List.of(plain, plain(size)), List.of(plain(size)));
                default ->
                    local(
                            DataKind.REDUCE_PACKETS,
                            List.of(plain, packet),
                            List.of(random.nextBoolean() ? plain : plain(size)));
            };
        }
        BufferType far = BufferType.values()[random.nextInt(3)];
        return switch (random.nextInt(9)) {
            case 0 -> local(DataKind.COPY, List.of(plain), List.of(any(size)));
            case 1, 2 ->
                local(DataKind.REDUCE, List.of(plain, any(size)), List.of(random.nextBoolean() ? plain : any(size)));
            case 3 ->
                memory(
                        DataKind.READ_REDUCE,
                        List.of(plain, remote(far, size)),
                        List.of(random.nextBoolean() ? plain : any(size)));
            case 4, 5 ->
                memory(DataKind.PUT, List.of(random.nextBoolean() ? plain : any(size)), List.of(remote(far, size)));
            case 6 ->
                new Operation.Data(
                        random.nextBoolean() ? DataKind.PUT : DataKind.PUT_WITH_SIGNAL,
                        Optional.of(ChannelType.PORT),
                        List.of(random.nextInt(2)),
                        List.of(plain),
                        List.of(remote(far, size)),
                        share(),
                        Optional.empty());
            case 7 -> memory(DataKind.GET, List.of(remote(far, size)), List.of(any(size)));
            default -> {
                ChunkRef all = new ChunkRef.Multicast(0, random.nextInt(CHUNKS - size + 1), size);
                yield new Operation.Data(
                        random.nextBoolean() ? DataKind.SWITCH_STORE : DataKind.SWITCH_REDUCE_STORE,
                        Optional.of(ChannelType.SWITCH),
                        List.of(0),
                        List.of(all),
                        List.of(all),
                        BlockShare.WHOLE,
                        Optional.empty());
            }
        };
    }

    private Operation.Data local(DataKind kind, List<ChunkRef> sources, List<ChunkRef> destinations) {
        return new Operation.Data(kind, Optional.empty(), List.of(), sources, destinations, share(), Optional.empty());
    }

    private Operation.Data memory(DataKind kind, List<ChunkRef> sources, List<ChunkRef> destinations) {
        return new Operation.Data(
                kind,
                Optional.of(ChannelType.MEMORY),
                List.of(random.nextInt(3)),
                sources,
                destinations,
                share(),
                Optional.empty());
    }

    private BlockShare share() {
        return random.nextInt(8) == 0 ? new BlockShare(1, 2) : BlockShare.WHOLE;
    }

    private ChunkRef.Local plain(int size) {
        return (ChunkRef.Local) local(PLAIN.get(random.nextInt(2)), size);
    }

    private ChunkRef.Local any(int size) {
        return (ChunkRef.Local) local(BufferType.values()[random.nextInt(3)], size);
    }

    private ChunkRef local(BufferType buffer, int size) {
        int chunks = plan.ranks().get(RANK).chunks(buffer);
        return new ChunkRef.Local(buffer, random.nextInt(chunks - size + 1), size);
    }

    private ChunkRef remote(BufferType buffer, int size) {
        int chunks = plan.ranks().get(1 - RANK).chunks(buffer);
        return new ChunkRef.Remote(buffer.ordinal(), random.nextInt(chunks - size + 1), size);
    }

    /** The language refuses partial overlaps. */
    private boolean overlapsItself(Operation.Data data) {
        for (ChunkRef destination : data.destinations()) {
            for (ChunkRef source : data.sources()) {
                List<Integer> read = memory.addresses(RANK, source);
                List<Integer> stored = memory.addresses(RANK, destination);
                if (!read.equals(stored) && stored.stream().anyMatch(read::contains)) {
                    return true;
                }
            }
        }
        return false;
    }
}
