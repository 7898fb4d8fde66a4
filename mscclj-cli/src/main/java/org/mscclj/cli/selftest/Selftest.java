package org.mscclj.cli.selftest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.mscclj.api.error.DurationText;
import org.mscclj.cli.launch.ExitCode;
import org.mscclj.cli.launch.LimitedCommand;
import org.mscclj.cli.selftest.PartResult.Outcome;

/**
 * Runs parts in sequence. The failure of a part does not keep the next one from running.
 *
 * @param plan the plan of the self-test
 * @param parts the parts
 * @param budget the time limits
 * @param progress receives a line at the start and at the end of each part
 */
record Selftest(SelftestPlan plan, List<SelftestPart> parts, TimeBudget budget, Consumer<String> progress) {
    private static final String FAILURE = "mscclj";
    private static final String SUMMARY = "# ";

    /**
     * Runs the parts.
     *
     * @param start the start of the time limit, of {@link System#nanoTime}
     */
    List<PartResult> run(long start) {
        List<PartResult> results = new ArrayList<>();
        for (SelftestPart part : parts) {
            int left = parts.subList(results.size(), parts.size()).stream()
                    .filter(other -> other.kind() == part.kind())
                    .mapToInt(SelftestPart::weight)
                    .sum();
            Duration limit =
                    budget.limit(Duration.ofNanos(System.nanoTime() - start), part.kind(), part.weight(), left);
            PartResult result = run(part, limit);
            progress.accept(ended(result));
            results.add(result);
        }
        return results;
    }

    private static String ended(PartResult result) {
        String line = result.part().fileName() + " " + result.outcome().label() + ", " + result.seconds() + " s";
        return result.summary().isEmpty() ? line : line + ": " + result.summary();
    }

    private PartResult run(SelftestPart part, Duration limit) {
        Path log = plan.output().resolve(part.fileName() + ".log");
        if (limit.toSeconds() < 1) {
            return new PartResult(
                    part, Outcome.NOT_RUN, Duration.ZERO, log, "no time was left; give more by --minutes");
        }
        Duration whole = Duration.ofSeconds(limit.toSeconds());
        progress.accept(part.fileName() + ", at most " + DurationText.of(whole));
        long start = System.nanoTime();
        Map<String, String> environment = part.where().map(plan::environment).orElse(Map.of());
        LimitedCommand.End end = LimitedCommand.run(part.arguments(), environment, log, whole);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        List<String> lines = lines(log);
        if (!end.inTime()) {
            return new PartResult(part, Outcome.TIMED_OUT, took, log, "did not end within " + DurationText.of(whole));
        }
        if (end.code().value() != 0) {
            return new PartResult(part, Outcome.FAILED, took, log, reason(end.code(), lines));
        }
        if (part.mustSay().isPresent()) {
            return matched(part, part.mustSay().get(), took, log, lines);
        }
        return new PartResult(
                part, Outcome.PASSED, took, log, last(lines, SUMMARY).orElse(""));
    }

    /** Returns why a part failed: its own message, unless a signal has ended it. */
    static String reason(ExitCode code, List<String> lines) {
        if (code.isSignal()) {
            return code.text();
        }
        return last(lines, FAILURE).or(() -> last(lines, SUMMARY)).orElse(code.text());
    }

    private static PartResult matched(SelftestPart part, Pattern pattern, Duration took, Path log, List<String> lines) {
        Optional<String> line =
                lines.stream().filter(text -> pattern.matcher(text).matches()).findFirst();
        return new PartResult(
                part,
                line.isPresent() ? Outcome.PASSED : Outcome.FAILED,
                took,
                log,
                line.map(text -> text.strip().replaceAll("\\s+", " "))
                        .orElse("the backend is not available; the log says why"));
    }

    private static Optional<String> last(List<String> lines, String beginning) {
        return lines.reversed().stream()
                .filter(line -> line.startsWith(beginning) && line.length() > beginning.length())
                .map(line -> line.startsWith(SUMMARY) ? line.substring(SUMMARY.length()) : line)
                .findFirst();
    }

    /** Reads the output of a part, and replaces bytes that are no text. */
    private static List<String> lines(Path log) {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }
}
