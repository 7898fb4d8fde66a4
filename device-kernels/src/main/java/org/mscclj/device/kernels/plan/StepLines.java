package org.mscclj.device.kernels.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Generates the code of consecutive steps. Repetitions become loops: blocks repeat steps for each peer and each chunk,
 * and unrolled code takes the compiler seconds, and misses the GPU's instruction cache.
 */
final class StepLines {
    /** Greatest length of a sequence that is checked for repetitions. */
    private static final int MAX_LINES_OF_TURN = 64;

    private StepLines() {}

    /**
     * The code: a line for each step or loop, each with a line break.
     *
     * @param at offset of the words of the first step
     */
    static String of(List<KernelStep> steps, TableOffset at, String indent) {
        List<Line> lines = new ArrayList<>();
        steps.forEach(step -> lines.add(new Single(step)));
        for (int length = 1; length <= MAX_LINES_OF_TURN && 2 * length <= lines.size(); length++) {
            fold(lines, length);
        }
        return text(lines, at, indent);
    }

    /** Replaces adjacent repetitions of sequences of {@code length} lines by loops. */
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

    private static String text(List<Line> lines, TableOffset start, String indent) {
        StringBuilder text = new StringBuilder();
        TableOffset at = start;
        for (Line line : lines) {
            text.append(line.code(at, indent));
            at = at.plus(line.words());
        }
        return text.toString();
    }

    private sealed interface Line {
        /** Equal for lines that differ only in the offset of their words. */
        String key();

        int words();

        String code(TableOffset at, String indent);
    }

    private record Single(KernelStep step, String key) implements Line {
        Single(KernelStep step) {
            this(step, step.code(TableOffset.START, ""));
        }

        @Override
        public int words() {
            return step.words();
        }

        @Override
        public String code(TableOffset at, String indent) {
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
        public String code(TableOffset at, String indent) {
            String turn = at.turn();
            return "#pragma unroll 1\n" + indent + "for (uint32 " + turn + " = 0; " + turn + " < " + turns + "; " + turn
                    + "++) {\n" + text(lines, at.inLoop(wordsOfTurn()), indent + "    ") + indent + "}\n";
        }
    }
}
