package org.mscclj.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Damages the text of a plan, as a slip of an author or a faulty generator would: it stays JSON more often than not.
 */
final class PlanMutation {
    private static final Pattern NUMBER = Pattern.compile("(?<=[\\s:\\[])\\d+(?=[\\s,\\]}])");
    private static final Pattern WORD = Pattern.compile("\"(\\w+)\"");
    private static final Pattern OPERATION =
            Pattern.compile("\\{\\s*\"name\"\\s*:\\s*\"\\w+\"(?:[^{}]|\\{[^{}]*\\})*\\}\\s*,?");

    private PlanMutation() {}

    /** A copy of the text with one to three changes. */
    static String mutate(String plan, Random random) {
        String mutant = plan;
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            mutant = switch (random.nextInt(6)) {
                case 0, 1 -> renumber(mutant, random);
                case 2 -> reword(mutant, random);
                case 3 -> drop(mutant, random);
                case 4 -> duplicate(mutant, random);
                default -> swap(mutant, random);
            };
        }
        return mutant;
    }

    private static String renumber(String plan, Random random) {
        return replaceOne(plan, NUMBER, random, found -> {
            long number = found.length() > 9 ? 0 : Long.parseLong(found);
            long[] others = {number + 1, Math.max(0, number - 1), 0, random.nextInt(8), 1L << 40};
            return Long.toString(others[random.nextInt(others.length)]);
        });
    }

    private static String reword(String plan, Random random) {
        List<MatchResult> words = WORD.matcher(plan).results().toList();
        String other = words.get(random.nextInt(words.size())).group();
        return replaceOne(plan, WORD, random, found -> other);
    }

    private static String drop(String plan, Random random) {
        return replaceOne(plan, OPERATION, random, found -> "");
    }

    private static String duplicate(String plan, Random random) {
        return replaceOne(plan, OPERATION, random, found -> found.endsWith(",") ? found + found : found + "," + found);
    }

    private static String swap(String plan, Random random) {
        List<MatchResult> operations =
                new ArrayList<>(OPERATION.matcher(plan).results().toList());
        if (operations.size() < 2) {
            return plan;
        }
        int index = random.nextInt(operations.size() - 1);
        MatchResult first = operations.get(index);
        MatchResult second = operations.get(index + 1);
        return plan.substring(0, first.start())
                + second.group()
                + plan.substring(first.end(), second.start())
                + first.group()
                + plan.substring(second.end());
    }

    private interface Replacement {
        String of(String found);
    }

    private static String replaceOne(String plan, Pattern pattern, Random random, Replacement replacement) {
        List<MatchResult> found = pattern.matcher(plan).results().toList();
        if (found.isEmpty()) {
            return plan;
        }
        MatchResult one = found.get(random.nextInt(found.size()));
        return plan.substring(0, one.start()) + replacement.of(one.group()) + plan.substring(one.end());
    }
}
