package org.mscclj.plan;

import static org.mscclj.plan.BufferType.INPUT;
import static org.mscclj.plan.BufferType.OUTPUT;
import static org.mscclj.plan.BufferType.SCRATCH;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;

/** Valid plans that use every part of the model, but compute nothing in particular. */
public final class RandomPlans {
    private final Random random;
    private final int world;
    private final Protocol protocol;
    private final int chunks;
    private final List<SwitchGroup> groups;

    private RandomPlans(Random random) {
        this.random = random;
        world = 1 + random.nextInt(4);
        protocol = pick(Protocol.values());
        chunks = 1 + random.nextInt(6);
        List<Integer> members = IntStream.range(0, world).boxed().toList();
        groups = times(3, () -> new SwitchGroup(pick(INPUT, OUTPUT, SCRATCH), members));
    }

    /** The plan for a seed. */
    public static Plan of(long seed) {
        return new RandomPlans(new Random(seed)).plan();
    }

    private Plan plan() {
        return new Plan(
                "random \"plan\" \n\u2028 ü " + random.nextInt(),
                Collective.ALLREDUCE,
                protocol,
                random.nextBoolean(),
                random.nextBoolean(),
                1 + random.nextInt(1024),
                random.nextBoolean(),
                8 * (1 + random.nextInt(64)),
                random.nextInt(1_000),
                pick(-1L, Long.MIN_VALUE, 1L << 40, 1_000L),
                IntStream.range(0, world).mapToObj(this::rank).toList());
    }

    private RankPlan rank(int rank) {
        List<Integer> peers = IntStream.range(0, world)
                .filter(peer -> peer != rank)
                .boxed()
                .flatMap(peer -> IntStream.range(0, 1 + random.nextInt(2)).mapToObj(_ -> peer))
                .toList();
        List<RemoteBuffer> buffers = peers.stream()
                .distinct()
                .flatMap(peer -> Stream.of(INPUT, OUTPUT, SCRATCH)
                        .map(buffer -> new RemoteBuffer(peer, buffer, List.of(ChannelType.MEMORY, ChannelType.PORT))))
                .toList();
        List<Integer> semaphores = times(3, () -> random.nextInt(5));
        List<Integer> peersByPort = peers.reversed();
        List<ThreadBlock> blocks = new ArrayList<>();
        int count = random.nextInt(4);
        for (int id = 0; id < count; id++) {
            List<Integer> all = IntStream.range(0, peers.size()).boxed().toList();
            List<Integer> allBuffers =
                    IntStream.range(0, buffers.size()).boxed().toList();
            var context = new Context(peersByPort, buffers, semaphores.size());
            blocks.add(new ThreadBlock(
                    id,
                    times(12, () -> operation(context, true)),
                    all,
                    all,
                    IntStream.range(0, groups.size()).boxed().toList(),
                    allBuffers,
                    allBuffers));
        }
        return new RankPlan(rank, chunks, chunks, chunks, blocks, peers, peersByPort, groups, buffers, semaphores);
    }

    /** The references that a block can use; its own lists hold all items of the rank, in order. */
    private record Context(List<Integer> portPeers, List<RemoteBuffer> buffers, int semaphores) {
        boolean alone() {
            return portPeers.isEmpty();
        }
    }

    private Operation operation(Context context, boolean mayBePipeline) {
        return switch (random.nextInt(10)) {
            case 0 -> new Operation.Barrier(random.nextInt(3), 1);
            case 1 ->
                mayBePipeline
                        ? new Operation.Pipeline(
                                16L * (1 + random.nextInt(1 << 20)),
                                random.nextInt(4),
                                times(5, () -> operation(context, false)))
                        : new Operation.Nop();
            case 2 -> context.alone() ? new Operation.Nop() : sync(context);
            case 3 ->
                context.semaphores() == 0
                        ? new Operation.Nop()
                        : random.nextBoolean()
                                ? new Operation.SemaphoreAcquire(List.of(random.nextInt(context.semaphores())))
                                : new Operation.SemaphoreRelease(List.of(random.nextInt(context.semaphores())));
            case 4 -> new Operation.Nop();
            default -> data(context);
        };
    }

    private Operation sync(Context context) {
        ChannelType type = pick(ChannelType.MEMORY, ChannelType.PORT);
        List<Integer> ids = List.of(
                random.nextInt(context.portPeers().size()),
                random.nextInt(context.portPeers().size()));
        return switch (random.nextInt(3)) {
            case 0 -> new Operation.Signal(type, ids, random.nextBoolean());
            case 1 -> new Operation.Wait(type, ids, random.nextBoolean());
            default -> new Operation.Flush(ChannelType.PORT, ids);
        };
    }

    private Operation data(Context context) {
        int size = random.nextInt(chunks + 1);
        List<DataKind> kinds = Stream.of(DataKind.values())
                .filter(kind -> kind.packets() == protocol.packets())
                .filter(kind -> kind.local() || !context.alone())
                .toList();
        DataKind kind = kinds.get(random.nextInt(kinds.size()));
        ChunkRef plain = local(pick(INPUT, OUTPUT), size);
        ChunkRef packets = local(SCRATCH, size);
        return switch (kind) {
            case PUT, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH ->
                kind == DataKind.PUT && random.nextBoolean()
                        ? data(
                                kind,
                                ChannelType.MEMORY,
                                List.of(plain, plain),
                                List.of(remote(context, false, size), remote(context, false, size)))
                        : port(context, kind, plain, size, false);
            case GET -> data(kind, ChannelType.MEMORY, List.of(remote(context, false, size)), List.of(plain));
            case COPY -> local(kind, List.of(plain), List.of(local(SCRATCH, size)));
            case REDUCE -> local(kind, List.of(plain, packets, plain), List.of(plain));
            case REDUCE_SEND ->
                data(kind, ChannelType.MEMORY, List.of(plain, plain), List.of(plain, remote(context, false, size)));
            case READ_REDUCE ->
                data(kind, ChannelType.MEMORY, List.of(plain, remote(context, false, size)), List.of(plain));
            case READ_REDUCE_SEND ->
                data(
                        kind,
                        ChannelType.MEMORY,
                        List.of(plain, remote(context, false, size)),
                        List.of(plain, remote(context, false, size)));
            case PUT_PACKETS ->
                random.nextBoolean()
                        ? data(kind, ChannelType.MEMORY, List.of(plain), List.of(remote(context, true, size)))
                        : port(context, kind, packets, size, true);
            case READ_PUT_PACKETS ->
                data(
                        kind,
                        ChannelType.MEMORY,
                        List.of(packets),
                        List.of(remote(context, true, size), remote(context, true, size)));
            case COPY_PACKETS -> local(kind, List.of(plain), List.of(packets));
            case UNPACK_PACKETS -> local(kind, List.of(packets), List.of(plain));
            case REDUCE_PACKETS -> local(kind, List.of(plain, packets, packets), List.of(plain));
            case REDUCE_SEND_PACKETS ->
                data(kind, ChannelType.MEMORY, List.of(plain, packets), List.of(plain, remote(context, true, size)));
            case REDUCE_COPY_PACKETS -> local(kind, List.of(plain, packets), List.of(plain, packets));
            case REDUCE_COPY_SEND_PACKETS ->
                data(
                        kind,
                        ChannelType.MEMORY,
                        List.of(plain, packets),
                        List.of(plain, packets, remote(context, true, size)));
            case SWITCH_STORE ->
                group(false, size)
                        .map(all -> data(kind, ChannelType.SWITCH, List.of(plain), List.of(all)))
                        .orElse(new Operation.Nop());
            case SWITCH_STORE_PACKETS ->
                group(true, size)
                        .map(all -> data(kind, ChannelType.SWITCH, List.of(packets), List.of(all)))
                        .orElse(new Operation.Nop());
            case SWITCH_REDUCE_STORE ->
                group(false, size)
                        .map(all -> data(kind, ChannelType.SWITCH, List.of(all), List.of(all)))
                        .orElse(new Operation.Nop());
        };
    }

    private Operation local(DataKind kind, List<ChunkRef> sources, List<ChunkRef> destinations) {
        return data(kind, Optional.empty(), List.of(), sources, destinations);
    }

    private Operation data(DataKind kind, ChannelType type, List<ChunkRef> sources, List<ChunkRef> destinations) {
        return data(kind, Optional.of(type), List.of(), sources, destinations);
    }

    private Operation port(Context context, DataKind kind, ChunkRef source, int size, boolean packets) {
        ChunkRef.Remote target = (ChunkRef.Remote) remote(context, packets, size);
        int channel = context.portPeers()
                .indexOf(context.buffers().get(target.bufferId()).rank());
        return data(kind, Optional.of(ChannelType.PORT), List.of(channel), List.of(source), List.of(target));
    }

    private Operation data(
            DataKind kind,
            Optional<ChannelType> type,
            List<Integer> channels,
            List<ChunkRef> sources,
            List<ChunkRef> destinations) {
        int groupSize = 1 + random.nextInt(3);
        return new Operation.Data(
                kind,
                type,
                channels,
                sources,
                destinations,
                new BlockShare(random.nextInt(groupSize), groupSize),
                kind.reduces() && random.nextBoolean()
                        ? Optional.of(pick(ReduceOp.Kind.SUM, ReduceOp.Kind.MIN, ReduceOp.Kind.MAX))
                        : Optional.empty(),
                kind.reducesPackets() && random.nextBoolean()
                        ? OptionalInt.of(random.nextInt(sources.size()))
                        : OptionalInt.empty());
    }

    private ChunkRef local(BufferType buffer, int size) {
        return new ChunkRef.Local(buffer, random.nextInt(chunks - size + 1), size);
    }

    private ChunkRef remote(Context context, boolean packets, int size) {
        int id = random.nextInt(context.buffers().size() / 3) * 3;
        int which = packets ? 2 : random.nextInt(2);
        return new ChunkRef.Remote(id + which, random.nextInt(chunks - size + 1), size);
    }

    private Optional<ChunkRef> group(boolean packets, int size) {
        for (int id = 0; id < groups.size(); id++) {
            if (packets == (groups.get(id).buffer() == SCRATCH)) {
                return Optional.of(new ChunkRef.Multicast(id, random.nextInt(chunks - size + 1), size));
            }
        }
        return Optional.empty();
    }

    private <T> List<T> times(int most, Supplier<T> element) {
        return Stream.generate(element).limit(random.nextInt(most + 1)).toList();
    }

    @SafeVarargs
    private <T> T pick(T... values) {
        return values[random.nextInt(values.length)];
    }
}
