package org.mscclj.plan.fusion;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BlockView;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;

/**
 * The moves of a block that are fused: each thread carries out all of them for one unit of data before it takes the
 * next unit. Loads of plain data come first, packets leave before anything is awaited, and packets that are awaited
 * together are loaded together. No barrier of the block is needed, since no thread touches a unit of another thread.
 *
 * <p>A block can be fused if it only moves packets, and copies plain data, if all moves have one share, and if any two
 * accesses to the same memory, of which one writes, are to the same range: then both touch a unit in the same thread.
 * Two conditions more:
 *
 * <ul>
 *   <li>All plain data is the rank's own. A peer's input may be incomplete until a packet of the peer arrives, and
 *       loads of plain data come first.
 *   <li>No packets are sent behind a move that awaits some. A block that is not fused, such as one that traces its
 *       operations, carries out one move for all units before the next move. It would send nothing of a later move
 *       until it has received all units of an earlier one, of which a fused peer sends the first units only.
 * </ul>
 *
 * @param moves the moves, in order
 * @param plain the operands in plain memory, each once
 * @param packets the operands in packets, each once
 * @param share the block's share of every operand
 */
public record FusedMoves(List<Move> moves, List<OperandRange> plain, List<OperandRange> packets, BlockShare share) {
    /** The most operands of a block, since all are in registers at once. */
    private static final int MAX_OPERANDS = 40;

    /** Copies the lists. */
    public FusedMoves {
        moves = List.copyOf(moves);
        plain = List.copyOf(plain);
        packets = List.copyOf(packets);
    }

    /** Fuses the moves of a block; empty if they cannot be fused. */
    static Optional<FusedMoves> of(Plan plan, RankPlan rank, ThreadBlock block) {
        BlockView view = new BlockView(rank, block);
        List<Move> moves = new ArrayList<>();
        for (Operation operation : block.operations()) {
            if (operation instanceof Operation.Data data && !data.byPort()) {
                moves.addAll(Moves.of(view, data));
            } else if (!(operation instanceof Operation.Nop)) {
                return Optional.empty();
            }
        }
        boolean fusible = moves.stream().anyMatch(Move::hasPackets)
                && moves.stream().map(Move::share).distinct().count() == 1
                && moves.stream().allMatch(move -> isOwnPlainData(rank.rank(), move))
                && sendsFirst(moves);
        if (!fusible) {
            return Optional.empty();
        }
        FusedMoves fused = of(moves);
        return fused.plain.size() + fused.packets.size() <= MAX_OPERANDS
                        && new CommonMemory(plan).isAccessedByUnit(moves)
                ? Optional.of(fused)
                : Optional.empty();
    }

    private static FusedMoves of(List<Move> moves) {
        List<OperandRange> plain = moves.stream()
                .flatMap(move -> Stream.concat(move.plainSources().stream(), move.plainDestinations().stream()))
                .distinct()
                .toList();
        List<OperandRange> packets = moves.stream()
                .flatMap(move -> Stream.concat(move.packetDestinations().stream(), move.packetSources().stream()))
                .distinct()
                .toList();
        return new FusedMoves(moves, plain, packets, moves.getFirst().share());
    }

    /** Whether the plain operands are input and output of the rank itself. */
    private static boolean isOwnPlainData(int rank, Move move) {
        return Stream.concat(move.plainSources().stream(), move.plainDestinations().stream())
                .allMatch(range -> range.rank() == rank && !range.isScratch());
    }

    /** Whether no move sends packets behind a move that awaits some. */
    private static boolean sendsFirst(List<Move> moves) {
        boolean awaits = false;
        for (Move move : moves) {
            if (awaits && !move.packetDestinations().isEmpty()) {
                return false;
            }
            awaits |= !move.packetSources().isEmpty();
        }
        return true;
    }

    /** All operands, each once: plain ones, then those in packets. */
    Stream<OperandRange> operands() {
        return Stream.concat(plain.stream(), packets.stream());
    }
}
