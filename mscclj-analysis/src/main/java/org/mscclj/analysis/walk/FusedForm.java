package org.mscclj.analysis.walk;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.RemoteBuffer;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.layout.RoundLayout;

/**
 * The form in which GPUs execute a plan whose blocks they fuse. A block works in turns. In a turn, each thread carries
 * out all moves of the block for one unit of packets, or each warp for one group of lines.
 *
 * <p>The conditions are those of engines, with two exceptions. A plan in which different numbers of blocks share ranges
 * is not taken for fused, since turns of ranks would differ. Ranges of plain data may overlap.
 *
 * @param lines whether packets are lines of 128 bytes
 */
public record FusedForm(boolean lines) {
    /** The most threads of a block. */
    private static final int THREADS = 512;

    private static final int WARP = 32;

    /** Payload of a packet, which one thread moves. */
    private static final int PACKET = 8;

    /** Payload of the four lines that a warp moves at once. */
    private static final int GROUP = 4 * 120;

    /** The least payload of a block that is sent in lines. */
    private static final long LEAST_OF_LINES = 576;

    /** The most operands of a block, since all are in registers at once. */
    private static final int MAX_OPERANDS = 40;

    /** A chunk of packets. */
    private record Slot(int rank, BufferType buffer, int chunk) {}

    /** A range of packets. */
    private record Packets(int rank, BufferType buffer, int index, int size) {}

    /** Returns the form of a launch; empty if a block of a rank cannot be fused. */
    public static Optional<FusedForm> of(Plan plan, RoundLayout layout) {
        boolean fused = plan.ranks().stream()
                        .noneMatch(rank -> rank.threadBlocks().isEmpty())
                && blocks(plan).allMatch(FusedForm::isFusible)
                && moves(plan).map(move -> move.share().groupSize()).distinct().count() == 1
                && arePacketsEqualRanges(plan);
        return fused ? Optional.of(new FusedForm(areLines(plan, layout))) : Optional.empty();
    }

    private static Stream<ThreadBlock> blocks(Plan plan) {
        return plan.ranks().stream().map(RankPlan::threadBlocks).flatMap(List::stream);
    }

    private static Stream<Operation.Data> moves(Plan plan) {
        return blocks(plan).flatMap(FusedForm::moves);
    }

    private static Stream<Operation.Data> moves(ThreadBlock block) {
        return block.operations().stream()
                .filter(Operation.Data.class::isInstance)
                .map(Operation.Data.class::cast);
    }

    private static Stream<ChunkRef> operands(Operation.Data move) {
        return Stream.concat(move.sources().stream(), move.destinations().stream());
    }

    private static boolean isFusible(ThreadBlock block) {
        boolean onlyMoves = block.operations().stream()
                .allMatch(operation -> operation instanceof Operation.Nop || operation instanceof Operation.Data);
        return onlyMoves
                && moves(block).anyMatch(FusedForm::hasPackets)
                && moves(block).allMatch(move -> !move.byPort() && hasOwnPlainData(move))
                && moves(block).map(Operation.Data::share).distinct().count() == 1
                && moves(block)
                                .flatMap(FusedForm::operands)
                                .map(ChunkRef::size)
                                .distinct()
                                .count()
                        == 1
                && moves(block).flatMap(FusedForm::operands).distinct().count() <= MAX_OPERANDS
                && sendsFirst(block);
    }

    private static boolean hasPackets(Operation.Data move) {
        return !move.writtenPackets().isEmpty() || !move.awaitedPackets().isEmpty();
    }

    private static boolean hasOwnPlainData(Operation.Data move) {
        return IntStream.range(0, move.sources().size())
                        .allMatch(k -> isFitting(
                                move.sources().get(k), move.sourceRole(k).packets()))
                && IntStream.range(0, move.destinations().size())
                        .allMatch(k -> isFitting(
                                move.destinations().get(k),
                                move.destinationRole(k).packets()));
    }

    private static boolean isFitting(ChunkRef operand, boolean packets) {
        return switch (operand) {
            case ChunkRef.Local local -> packets || local.buffer() != BufferType.SCRATCH;
            case ChunkRef.Remote _ -> packets;
            case ChunkRef.Multicast _ -> false;
        };
    }

    /** Whether no move sends packets behind a move that awaits some. */
    private static boolean sendsFirst(ThreadBlock block) {
        return moves(block)
                .dropWhile(move -> move.awaitedPackets().isEmpty())
                .skip(1)
                .allMatch(move -> move.writtenPackets().isEmpty());
    }

    /** Whether ranges of packets are equal or apart, on all ranks. */
    private static boolean arePacketsEqualRanges(Plan plan) {
        Set<Packets> ranges = new HashSet<>();
        for (RankPlan rank : plan.ranks()) {
            for (ThreadBlock block : rank.threadBlocks()) {
                BlockView view = new BlockView(rank, block);
                moves(block).forEach(move -> {
                    Stream.concat(move.awaitedPackets().stream(), move.writtenPackets().stream())
                            .map(operand -> packets(view, move, operand))
                            .forEach(ranges::add);
                });
            }
        }
        Set<Slot> slots = new HashSet<>();
        return ranges.stream()
                .flatMap(range -> IntStream.range(range.index(), range.index() + range.size())
                        .mapToObj(chunk -> new Slot(range.rank(), range.buffer(), chunk)))
                .allMatch(slots::add);
    }

    private static Packets packets(BlockView view, Operation.Data move, ChunkRef operand) {
        return switch (operand) {
            case ChunkRef.Local local -> new Packets(view.rank().rank(), local.buffer(), local.index(), local.size());
            case ChunkRef.Remote remote -> {
                RemoteBuffer buffer = view.remote(remote, move);
                yield new Packets(buffer.rank(), buffer.buffer(), remote.index(), remote.size());
            }
            case ChunkRef.Multicast _ -> throw new IllegalStateException("blocks that multicast are not fused");
        };
    }

    /** Whether the shortest share of all blocks is long enough for lines, and shares are those of single chunks. */
    private static boolean areLines(Plan plan, RoundLayout layout) {
        int alignment = plan.bufferAlignment();
        int group = moves(plan).mapToInt(move -> move.share().groupSize()).max().orElse(1);
        boolean equalHalves = !plan.doubleScratch()
                || plan.ranks().stream().map(RankPlan::scratchChunks).distinct().count() == 1;
        return plan.protocol() == Protocol.LL128
                && equalHalves
                && layout.chunkBytes() / alignment / group * alignment >= LEAST_OF_LINES
                && moves(plan).flatMap(FusedForm::operands).allMatch(operand -> operand.size() == 1);
    }

    /** The most payload of an operand that a block handles in a turn, in bytes. */
    public long turnBytes() {
        return lines ? (long) THREADS / WARP * GROUP : (long) THREADS * PACKET;
    }

    /** Number of turns of a block. */
    public long turns(ThreadBlock block, Plan plan, RoundLayout layout) {
        long longest = moves(block)
                .mapToLong(move -> RoundLayout.share(
                                move.destinations().getFirst().size() * layout.chunkBytes(),
                                move.share(),
                                plan.bufferAlignment())
                        .length())
                .max()
                .orElse(0);
        return Math.max(1, Math.ceilDiv(longest, turnBytes()));
    }
}
