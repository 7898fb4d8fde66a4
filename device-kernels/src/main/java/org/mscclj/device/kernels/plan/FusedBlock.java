package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.plan.Plan;
import org.mscclj.plan.fusion.CommonMemory;
import org.mscclj.plan.fusion.FusedMoves;
import org.mscclj.plan.fusion.Move;
import org.mscclj.plan.fusion.OperandRange;

/**
 * The code of a fused block.
 *
 * <p>The words of the block lie in a record: {@link #OWN_WORDS}, then two words for each plain operand (address; bytes
 * that exist and bytes that are moved 8 at a time), then one word for each operand in packets, its address, then one
 * for each move that states the place of its plain source.
 *
 * @param body the body of the function
 * @param moves the moves and their operands
 * @param places the places of plain sources among packets
 */
record FusedBlock(String body, FusedMoves moves, List<Integer> places) {
    /** Words of a record before those of the operands. */
    static final int OWN_WORDS = 2;

    /** Words of a plain operand. */
    static final int PLAIN_WORDS = 2;

    /** Copies the list. */
    FusedBlock {
        places = List.copyOf(places);
    }

    /** The code of the moves of a block. */
    static FusedBlock of(Plan plan, FusedMoves moves) {
        return new Writer(moves, new CommonMemory(plan)).block();
    }

    /** The operands in plain memory, each once. */
    List<OperandRange> plain() {
        return moves.plain();
    }

    /** The operands in packets, each once. */
    List<OperandRange> packets() {
        return moves.packets();
    }

    /** The size of the record. */
    int words() {
        return OWN_WORDS + PLAIN_WORDS * plain().size() + packets().size() + places.size();
    }

    /** Writes the body. */
    private static final class Writer {
        private final FusedMoves fused;
        private final List<Move> moves;
        private final CommonMemory memory;
        private final List<OperandRange> plain;
        private final List<OperandRange> packets;

        /** The plain memory that was written since the variables were loaded. */
        private final Set<OperandRange> written = new HashSet<>();

        private final List<Integer> places = new ArrayList<>();

        private boolean noted;

        private final StringBuilder text = new StringBuilder();

        Writer(FusedMoves fused, CommonMemory memory) {
            this.fused = fused;
            this.moves = fused.moves();
            this.memory = memory;
            this.plain = fused.plain();
            this.packets = fused.packets();
        }

        FusedBlock block() {
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
            return new FusedBlock(text.toString(), fused, places);
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
