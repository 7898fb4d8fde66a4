package org.mscclj.language.pass;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;

/**
 * Decides which pairs of data operations become one. MSCCL++ also fuses two reductions of the same first source into
 * the same destination, although the second overwrites the result of the first; here the second must continue from the
 * first's result. MSCCL++ does not check for overlaps between operands either: one operation processes elements in no
 * order, whereas two operations with a synchronisation between them process all elements one after the other.
 */
final class DataFusion {
    private final ChunkRanges ranges;
    private final FusionLimits limits;

    DataFusion(ChunkRanges ranges, FusionLimits limits) {
        this.ranges = ranges;
        this.limits = limits;
    }

    /** The operation that replaces both; empty if there is none, or if it would exceed the limits. */
    Optional<Operation.Data> fuse(Operation.Data first, Operation.Data second) {
        if (!first.share().equals(second.share())) {
            return Optional.empty();
        }
        return fused(first, second)
                .filter(both -> both.sources().size() <= limits.references()
                        && both.destinations().size() <= limits.references()
                        && (both.channelIds().size() <= limits.ids()
                                || !both.channelType().equals(Optional.of(ChannelType.PORT))));
    }

    private Optional<Operation.Data> fused(Operation.Data first, Operation.Data second) {
        return switch (first.kind()) {
            case PUT, PUT_PACKETS, PUT_WITH_SIGNAL, PUT_WITH_SIGNAL_AND_FLUSH, GET -> transfers(first, second);
            case REDUCE, READ_REDUCE ->
                second.kind() == first.kind() ? accumulation(first, second) : sending(first, second, DataKind.PUT);
            case REDUCE_SEND, READ_REDUCE_SEND -> sending(first, second, DataKind.PUT);
            case REDUCE_PACKETS ->
                second.kind() == DataKind.REDUCE_PACKETS
                        ? accumulation(first, second)
                        : packetCopy(first, second).or(() -> sending(first, second, DataKind.PUT_PACKETS));
            case REDUCE_SEND_PACKETS -> sending(first, second, DataKind.PUT_PACKETS);
            case REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS ->
                sending(first, second, DataKind.PUT_PACKETS).or(() -> forwarding(first, second));
            default -> Optional.empty();
        };
    }

    private Optional<Operation.Data> transfers(Operation.Data first, Operation.Data second) {
        boolean fits = first.kind() == second.kind()
                && first.channelType().equals(second.channelType())
                && first.sources().getFirst().size()
                        == second.sources().getFirst().size()
                && !anyOverlap(first.destinations(), second.destinations());
        return fits
                ? Optional.of(new Operation.Data(
                        first.kind(),
                        first.channelType(),
                        concat(first.channelIds(), second.channelIds()),
                        concat(first.sources(), second.sources()),
                        concat(first.destinations(), second.destinations()),
                        first.share(),
                        first.reduceOp()))
                : Optional.empty();
    }

    /**
     * The second reduction adds operands to the result of the first. Its operands would come between those of the first
     * if one of them stated the place of its plain operand.
     */
    private Optional<Operation.Data> accumulation(Operation.Data first, Operation.Data second) {
        ChunkRef result = first.destinations().getFirst();
        List<ChunkRef> more = second.sources().subList(1, second.sources().size());
        boolean fits = second.destinations().equals(first.destinations())
                && second.sources().getFirst().equals(result)
                && !anyOverlap(List.of(result), more)
                && first.reduceOp().equals(second.reduceOp())
                && first.plainPlace().isEmpty()
                && second.plainPlace().isEmpty();
        return fits
                ? Optional.of(with(
                        first,
                        first.kind(),
                        concat(first.channelIds(), second.channelIds()),
                        concat(first.sources(), more),
                        first.destinations()))
                : Optional.empty();
    }

    /** The second operation puts the result of the first to a peer. */
    private Optional<Operation.Data> sending(Operation.Data first, Operation.Data second, DataKind put) {
        boolean fits = second.kind() == put
                && second.channelType().equals(Optional.of(ChannelType.MEMORY))
                && second.sources().stream()
                        .allMatch(source -> source.equals(first.destinations().getFirst()))
                && mayStoreToo(first, second.destinations());
        return fits ? Optional.of(sendingToo(first, second)) : Optional.empty();
    }

    /** The second operation puts the packet copy of the result to a peer's scratch. */
    private Optional<Operation.Data> forwarding(Operation.Data first, Operation.Data second) {
        boolean fits = second.kind() == DataKind.READ_PUT_PACKETS
                && second.channelType().equals(Optional.of(ChannelType.MEMORY))
                && second.sources().stream()
                        .allMatch(source -> source.equals(first.destinations().get(1)))
                && mayStoreToo(first, second.destinations());
        return fits ? Optional.of(sendingToo(first, second)) : Optional.empty();
    }

    private static Operation.Data sendingToo(Operation.Data first, Operation.Data second) {
        DataKind kind = switch (first.kind()) {
            case REDUCE, REDUCE_SEND -> DataKind.REDUCE_SEND;
            case READ_REDUCE, READ_REDUCE_SEND -> DataKind.READ_REDUCE_SEND;
            case REDUCE_PACKETS, REDUCE_SEND_PACKETS -> DataKind.REDUCE_SEND_PACKETS;
            case REDUCE_COPY_PACKETS, REDUCE_COPY_SEND_PACKETS -> DataKind.REDUCE_COPY_SEND_PACKETS;
            default -> throw new IllegalStateException(first.kind() + " sends nothing");
        };
        return new Operation.Data(
                kind,
                second.channelType(),
                concat(first.channelIds(), second.channelIds()),
                first.sources(),
                concat(first.destinations(), second.destinations()),
                first.share(),
                first.reduceOp(),
                first.plainPlace());
    }

    /** The second operation copies the result to local packets. */
    private Optional<Operation.Data> packetCopy(Operation.Data first, Operation.Data second) {
        boolean fits = second.kind() == DataKind.COPY_PACKETS
                && second.sources().equals(first.destinations())
                && mayStoreToo(first, second.destinations());
        return fits
                ? Optional.of(with(
                        first,
                        DataKind.REDUCE_COPY_PACKETS,
                        first.channelIds(),
                        first.sources(),
                        concat(first.destinations(), second.destinations())))
                : Optional.empty();
    }

    private static Operation.Data with(
            Operation.Data data,
            DataKind kind,
            List<Integer> channelIds,
            List<ChunkRef> sources,
            List<ChunkRef> destinations) {
        return new Operation.Data(
                kind,
                data.channelType(),
                channelIds,
                sources,
                destinations,
                data.share(),
                data.reduceOp(),
                data.plainPlace());
    }

    /**
     * Whether an operation may store its result in further destinations. Elements are stored while others are yet to be
     * read, in no order, so destinations must not overlap sources or each other.
     */
    private boolean mayStoreToo(Operation.Data data, List<ChunkRef> destinations) {
        return !anyOverlap(data.destinations(), destinations)
                && data.sources().stream()
                        .noneMatch(source ->
                                destinations.stream().anyMatch(stored -> ranges.overlapInPart(source, stored)));
    }

    private boolean anyOverlap(List<ChunkRef> some, List<ChunkRef> others) {
        return some.stream().anyMatch(one -> others.stream().anyMatch(other -> ranges.overlap(one, other)));
    }

    private static <T> List<T> concat(List<T> first, List<T> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
