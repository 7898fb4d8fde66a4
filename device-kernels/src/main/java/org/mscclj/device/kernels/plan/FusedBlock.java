package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;

/**
 * A block whose steps are fused: each thread carries out all steps for one unit of data before it takes the next unit.
 * Loads of plain data come first, packets leave before anything is awaited, and packets that are awaited together are
 * loaded together. No barrier of the block is needed, since no thread touches a unit of another thread.
 *
 * <p>A block can be fused if its steps move packets, and copy plain data, and if any two accesses to the same memory,
 * of which one writes, are to the same range: then both touch a unit in the same thread. Two conditions more:
 *
 * <ul>
 *   <li>All plain data is the rank's own. A peer's input may be incomplete until a packet of the peer arrives, and
 *       loads of plain data come first.
 *   <li>No packets are sent behind a move that awaits some. A block that is not fused, such as one that traces its
 *       operations, carries out one move for all units before the next move. It would send nothing of a later move
 *       until it has received all units of an earlier one, of which a fused peer sends the first units only.
 * </ul>
 *
 * <p>The words of the block lie in a record: {@link #OWN_WORDS}, then two words for each plain operand (address; bytes
 * that exist and bytes that are moved 8 at a time), then one word for each operand in packets, its address, then one
 * for each move that states the place of its plain source.
 *
 * @param body the body of the function
 * @param plain the operands in plain memory, each once
 * @param packets the operands in packets, each once
 * @param places the places of plain sources among packets
 * @param share the block's share of every operand
 */
record FusedBlock(
        String body, List<OperandRange> plain, List<OperandRange> packets, List<Integer> places, BlockShare share) {
    /** Words of a record before those of the operands. */
    static final int OWN_WORDS = 2;

    /** Words of a plain operand. */
    static final int PLAIN_WORDS = 2;

    /** The most operands of a block, since all are in registers at once. */
    private static final int MAX_OPERANDS = 40;

    /** Copies the lists. */
    FusedBlock {
        plain = List.copyOf(plain);
        packets = List.copyOf(packets);
        places = List.copyOf(places);
    }

    /** The size of the record. */
    int words() {
        return OWN_WORDS + PLAIN_WORDS * plain.size() + packets.size() + places.size();
    }

    /** Fuses the steps of a block; empty if they cannot be fused. */
    static Optional<FusedBlock> of(Plan plan, int rank, List<KernelStep> steps) {
        List<Move> moves = new ArrayList<>();
        for (KernelStep traced : steps) {
            KernelStep step = traced instanceof KernelStep.Traced outer ? outer.step() : traced;
            if (step instanceof KernelStep.Data data) {
                moves.add(data.move());
            } else if (!(step instanceof KernelStep.Nop)) {
                return Optional.empty();
            }
        }
        CommonMemory memory = new CommonMemory(plan);
        boolean fusible = moves.stream().anyMatch(Move::hasPackets)
                && moves.stream().map(Move::share).distinct().count() == 1
                && moves.stream().allMatch(move -> isOwnPlainData(rank, move))
                && sendsFirst(moves)
                && memory.isAccessedByUnit(moves);
        return fusible ? new Writer(moves, memory).block() : Optional.empty();
    }

    /** Whether the plain operands are input and output of the rank itself. */
    private static boolean isOwnPlainData(int rank, Move move) {
        return Stream.concat(move.plainSources().stream(), move.plainDestinations().stream())
                .allMatch(range -> range.rank() == rank && range.buffer() != BufferType.SCRATCH);
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

    /** Writes the body. */
    private static final class Writer {
        private final List<Move> moves;
        private final CommonMemory memory;
        private final List<OperandRange> plain;
        private final List<OperandRange> packets;

        /** The plain memory that was written since the variables were loaded. */
        private final Set<OperandRange> written = new HashSet<>();

        private final List<Integer> places = new ArrayList<>();

        private boolean noted;

        private final StringBuilder text = new StringBuilder();

        Writer(List<Move> moves, CommonMemory memory) {
            this.moves = moves;
            this.memory = memory;
            this.plain = moves.stream()
                    .flatMap(move -> Stream.concat(move.plainSources().stream(), move.plainDestinations().stream()))
                    .distinct()
                    .toList();
            this.packets = moves.stream()
                    .flatMap(move -> Stream.concat(move.packetDestinations().stream(), move.packetSources().stream()))
                    .distinct()
                    .toList();
        }

        Optional<FusedBlock> block() {
            if (plain.size() + packets.size() > MAX_OPERANDS) {
                return Optional.empty();
            }
            List<OperandRange> early = early();
            text.append("    uint32 unit = block.first();\n");
            for (OperandRange source : early) {
                text.append("    auto ")
                        .append(variable(source))
                        .append(" = ")
                        .append(load(source))
                        .append(";\n");
            }
            text.append("    if (!block.enter()) return false;\n");
            text.append("    while (block.has(unit)) {\n");
            for (int first = 0; first < moves.size(); ) {
                int end = endOfGroup(first);
                write(first, end);
                first = end;
            }
            note();
            text.append("        unit = block.next(unit);\n");
            early.forEach(source -> text.append("        ")
                    .append(variable(source))
                    .append(" = ")
                    .append(load(source))
                    .append(";\n"));
            text.append("    }\n    return true;\n");
            return Optional.of(new FusedBlock(
                    text.toString(), plain, packets, places, moves.getFirst().share()));
        }

        /** The plain sources that no earlier move writes: they can be loaded before everything else. */
        private List<OperandRange> early() {
            Set<OperandRange> before = new HashSet<>();
            List<OperandRange> early = new ArrayList<>();
            for (Move move : moves) {
                for (OperandRange source : move.plainSources()) {
                    if (!before.contains(memory.of(source)) && !early.contains(source)) {
                        early.add(source);
                    }
                }
                move.plainDestinations().forEach(range -> before.add(memory.of(range)));
            }
            return early;
        }

        /**
         * Returns the end of the moves that await packets together with the first one: none of them but the last lets a
         * peer go on, which might send what a later one awaits.
         */
        private int endOfGroup(int first) {
            int end = first + 1;
            while (end < moves.size()
                    && !moves.get(first).packetSources().isEmpty()
                    && !moves.get(end).packetSources().isEmpty()
                    && moves.get(end - 1).packetDestinations().isEmpty()) {
                end++;
            }
            return end;
        }

        private void write(int first, int end) {
            List<OperandRange> awaited = moves.subList(first, end).stream()
                    .flatMap(move -> move.packetSources().stream())
                    .toList();
            String received = "received" + first;
            if (!awaited.isEmpty()) {
                note();
                text.append("        typename Fused::Payload ")
                        .append(received)
                        .append('[')
                        .append(awaited.size());
                text.append("];\n        if (!block.template receive<");
                text.append(awaited.stream().map(this::word).collect(Collectors.joining(", ")));
                text.append(">(unit, ").append(received).append(")) break;\n");
            }
            int next = 0;
            for (int i = first; i < end; i++) {
                Move move = moves.get(i);
                int count = move.packetSources().size();
                store(move, value(move, "move" + i, received, next));
                next += count;
            }
        }

        /** Writes the computation of a move's result; returns the expression of the result. */
        private String value(Move move, String result, String received, int next) {
            List<String> sources = new ArrayList<>();
            for (int p = 0; p < move.packetSources().size(); p++) {
                sources.add(received + "[" + (next + p) + "]");
            }
            boolean placed = move.plainPlace().isPresent();
            for (OperandRange source : move.plainSources()) {
                sources.add(
                        placed ? 0 : sources.size(),
                        written.contains(memory.of(source)) ? load(source) : variable(source));
            }
            if (sources.size() == 1 && move.packetSources().size() == 1) {
                return sources.getFirst();
            }
            text.append("        auto ").append(result).append(" = ");
            String function =
                    placed ? "template combineAt<" + place(move.plainPlace().getAsInt()) + ">" : "combine";
            text.append(
                    sources.size() == 1
                            ? sources.getFirst()
                            : "block." + function + "(" + String.join(", ", sources) + ")");
            text.append(";\n");
            return result;
        }

        private void store(Move move, String value) {
            move.plainDestinations().forEach(range -> {
                text.append("        block.template store<").append(word(range));
                text.append(">(unit, ").append(value).append(");\n");
                written.add(memory.of(range)); // what was loaded before is old
            });
            move.packetDestinations()
                    .forEach(range -> text.append("        block.template send<")
                            .append(word(range))
                            .append(">(unit, ")
                            .append(value)
                            .append(");\n"));
        }

        /** Writes the bookkeeping of a launch: behind the first packets, before the first wait. */
        private void note() {
            if (!noted) {
                noted = true;
                text.append("        block.note();\n");
            }
        }

        /** The variable that holds a plain source. */
        private String variable(OperandRange source) {
            return "plain" + plain.indexOf(source);
        }

        private String load(OperandRange range) {
            return "block.template load<" + word(range) + ">(unit)";
        }

        /** The word of the record for another place of a plain source. */
        private int place(int place) {
            places.add(place);
            return OWN_WORDS + PLAIN_WORDS * plain.size() + packets.size() + places.size() - 1;
        }

        /** The place of an operand in the record. */
        private String word(OperandRange range) {
            int at = plain.indexOf(range);
            return String.valueOf(
                    at >= 0
                            ? OWN_WORDS + PLAIN_WORDS * at
                            : OWN_WORDS + PLAIN_WORDS * plain.size() + packets.indexOf(range));
        }
    }
}
