package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The code of steps that follow one another. What is repeated is a loop: blocks do the same for each peer and each
 * chunk, and code as long as that takes the compiler seconds, and the GPU's instruction cache longer.
 */
final class StepLines {
    /** The longest sequence whose repetitions are looked for. */
    private static final int MOST_LINES_OF_TURN = 64;

    private StepLines() {}

    /**
     * The code, a line for each step or loop, and a line break after each.
     *
     * @param at where the words of the first step are
     */
    static String of(List<Step> steps, TablePlace at, String indent) {
        List<Line> lines = new ArrayList<>();
        steps.forEach(step -> lines.add(new Single(step)));
        for (int length = 1; length <= MOST_LINES_OF_TURN && 2 * length <= lines.size(); length++) {
            fold(lines, length);
        }
        return text(lines, at, indent);
    }

    /** Makes loops of sequences of so many lines that are repeated at once. */
    private static void fold(List<Line> lines, int length) {
        for (int first = 0; first + 2 * length <= lines.size(); first++) {
            int turns = turns(lines, first, length);
            if (turns > 1) {
                Line loop = new Loop(turns, lines.subList(first, first + length));
                lines.subList(first, first + turns * length).clear();
                lines.add(first, loop);
            }
        }
    }

    private static int turns(List<Line> lines, int first, int length) {
        int end = first + length;
        while (end < lines.size()
                && lines.get(end).key().equals(lines.get(end - length).key())) {
            end++;
        }
        return (end - first) / length;
    }

    private static String text(List<Line> lines, TablePlace start, String indent) {
        StringBuilder text = new StringBuilder();
        TablePlace at = start;
        for (Line line : lines) {
            text.append(line.code(at, indent));
            at = at.plus(line.words());
        }
        return text.toString();
    }

    private sealed interface Line {
        /** Equal for lines that differ in nothing but where their words are. */
        String key();

        int words();

        String code(TablePlace at, String indent);
    }

    private record Single(Step step, String key) implements Line {
        Single(Step step) {
            this(step, step.code(TablePlace.START, ""));
        }

        @Override
        public int words() {
            return step.words();
        }

        @Override
        public String code(TablePlace at, String indent) {
            return indent + step.code(at, indent) + "\n";
        }
    }

    private record Loop(int turns, List<Line> lines, String key) implements Line {
        Loop(int turns, List<Line> lines) {
            this(
                    turns,
                    List.copyOf(lines),
                    lines.stream().map(Line::key).collect(Collectors.joining("\n", turns + " times {\n", "\n}")));
        }

        @Override
        public int words() {
            return turns * wordsOfTurn();
        }

        private int wordsOfTurn() {
            return lines.stream().mapToInt(Line::words).sum();
        }

        @Override
        public String code(TablePlace at, String indent) {
            String turn = at.turn();
            return "#pragma unroll 1\n" + indent + "for (uint32 " + turn + " = 0; " + turn + " < " + turns + "; " + turn
                    + "++) {\n" + text(lines, at.inLoop(wordsOfTurn()), indent + "    ") + indent + "}\n";
        }
    }
}
