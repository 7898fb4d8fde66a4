package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Loops execute the same steps as the straight code. */
class StepLinesTest {
    private static final Pattern LOOP = Pattern.compile("for \\(uint32 (\\w+) = 0; \\1 < (\\d+); \\1\\+\\+\\) \\{");
    private static final Pattern PLACE = Pattern.compile("\\((\\d+)((?: \\+ \\d+ \\* \\w+)*)\\)");
    private static final Pattern GROWTH = Pattern.compile("(\\d+) \\* (\\w+)");

    private static KernelStep random(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new KernelStep.Nop();
            case 1 -> new KernelStep.Release(Collections.nCopies(1 + random.nextInt(2), random.nextInt(9)));
            case 2 -> new KernelStep.Acquire(List.of(random.nextInt(9)));
            default -> new KernelStep.Signal(List.of(random.nextInt(9)), random.nextBoolean());
        };
    }

    /** Sequences with repetitions, and with repetitions of parts. */
    private static List<KernelStep> sequence(Random random, int depth) {
        List<KernelStep> steps = new ArrayList<>();
        for (int part = random.nextInt(1, 4); part > 0; part--) {
            List<KernelStep> turn = depth == 0 ? List.of(random(random)) : sequence(random, depth - 1);
            for (int turns = random.nextInt(1, 5); turns > 0; turns--) {
                steps.addAll(turn);
            }
        }
        return steps;
    }

    private static List<String> oneAfterTheOther(List<KernelStep> steps) {
        List<String> lines = new ArrayList<>();
        TableOffset at = TableOffset.START;
        for (KernelStep step : steps) {
            lines.add(step.code(at, ""));
            at = at.plus(step.words());
        }
        return lines;
    }

    /** Executes the code. */
    private static void run(Iterator<String> lines, Map<String, Integer> turns, List<String> done) {
        while (lines.hasNext()) {
            String line = lines.next().strip();
            Matcher loop = LOOP.matcher(line);
            if (line.equals("}")) {
                return;
            } else if (loop.matches()) {
                List<String> body = new ArrayList<>();
                for (int open = 1; open > 0; ) {
                    String next = lines.next();
                    open += next.contains("{") ? 1 : next.strip().equals("}") ? -1 : 0;
                    body.add(next);
                }
                for (int turn = 0; turn < Integer.parseInt(loop.group(2)); turn++) {
                    assertTrue(turns.put(loop.group(1), turn) == null || turn > 0, "two loops of one name");
                    run(body.iterator(), turns, done);
                }
                turns.remove(loop.group(1));
            } else if (!line.startsWith("#")) {
                done.add(PLACE.matcher(line)
                        .replaceAll(range -> "(" + value(range.group(1), range.group(2), turns) + ")"));
            }
        }
    }

    private static int value(String start, String growth, Map<String, Integer> turns) {
        int value = Integer.parseInt(start);
        Matcher part = GROWTH.matcher(growth);
        while (part.find()) {
            value += Integer.parseInt(part.group(1)) * turns.getOrDefault(part.group(2), Integer.MIN_VALUE);
        }
        return value;
    }

    @Test
    void loopsDoTheSame() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<KernelStep> steps = sequence(random, random.nextInt(4));
            String code = StepLines.of(steps, TableOffset.START, "");
            List<String> done = new ArrayList<>();
            run(code.lines().iterator(), new HashMap<>(), done);
            assertEquals(oneAfterTheOther(steps), done, () -> "seed " + seed + ":\n" + code);
        }
    }

    @Test
    void repetitionsAppearOnce() {
        List<KernelStep> turn = List.of(
                new KernelStep.Nop(),
                new KernelStep.Signal(List.of(1), true),
                new KernelStep.Acquire(List.of(1)),
                new KernelStep.Acquire(List.of(2)));
        List<KernelStep> steps = new ArrayList<>();
        Collections.nCopies(100, turn).forEach(steps::addAll);
        assertEquals("""
                #pragma unroll 1
                for (uint32 turn0 = 0; turn0 < 100; turn0++) {
                    if (block.nop()) return;
                    block.template signal<1, true>(7 + 3 * turn0);
                #pragma unroll 1
                    for (uint32 turn1 = 0; turn1 < 2; turn1++) {
                        block.template acquire<1>(8 + 3 * turn0 + 1 * turn1);
                    }
                }
                """, StepLines.of(steps, TableOffset.START.plus(7), ""));
    }

    @Test
    void pipelinesHaveLoopsInThem() {
        KernelStep.Pipeline pipeline =
                new KernelStep.Pipeline(16, 1, Collections.nCopies(3, new KernelStep.Acquire(List.of(1))));
        assertEquals("""
                #pragma unroll 1
                for (uint32 turn0 = 0; turn0 < 2; turn0++) {
                    for (uint64 i = 0, n = block.iterations(0 + 5 * turn0); i < n; i++) {
                        block.window(0 + 5 * turn0, i);
                #pragma unroll 1
                        for (uint32 turn1 = 0; turn1 < 3; turn1++) {
                            block.template acquire<1>(2 + 5 * turn0 + 1 * turn1);
                        }
                    }
                    block.wholeWindow();
                }
                """, StepLines.of(List.of(pipeline, pipeline), TableOffset.START, ""));
    }
}
