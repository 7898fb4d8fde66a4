package org.mscclj.conformance.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;

/**
 * Rules that are known to be broken for now. A line has a rule, a mode or {@code *}, the last day, and the reason,
 * separated by {@code |}; empty lines and those that begin with {@code #} are ignored. Immutable.
 */
public final class Exclusions {
    private static final int FIELDS = 4;

    private final List<Exclusion> entries;

    /**
     * A line.
     *
     * @param rule the rule
     * @param mode where it is broken; empty for everywhere
     * @param lastDay the last day of the exclusion, inclusive
     * @param reason why it is broken
     */
    public record Exclusion(String rule, Optional<Mode> mode, LocalDate lastDay, String reason) {}

    private Exclusions(List<Exclusion> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Returns no exclusions. */
    public static Exclusions none() {
        return new Exclusions(List.of());
    }

    /**
     * Reads a file.
     *
     * @throws InvalidArgumentException if it cannot be read, or a line has another form; names the line
     */
    public static Exclusions read(Path file) {
        try {
            return parse(file.toString(), Files.readAllLines(file));
        } catch (IOException e) {
            throw new InvalidArgumentException("the exclude file " + file + " cannot be read: " + FileProblem.of(e), e);
        }
    }

    static Exclusions parse(String file, List<String> lines) {
        List<Exclusion> entries = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                entries.add(entry(file + ", line " + (i + 1), line));
            }
        }
        return new Exclusions(entries);
    }

    private static Exclusion entry(String where, String line) {
        String[] fields = line.split("\\|", FIELDS);
        if (fields.length < FIELDS || fields[FIELDS - 1].isBlank()) {
            throw InvalidArgumentException.of(
                    where, '"' + line + '"', "rule | mode or * | last day as 2027-01-31 | reason");
        }
        try {
            return new Exclusion(
                    Rules.find(fields[0].strip()).id(),
                    fields[1].strip().equals("*") ? Optional.empty() : Optional.of(Mode.parse(fields[1].strip())),
                    LocalDate.parse(fields[2].strip()),
                    fields[3].strip());
        } catch (DateTimeParseException e) {
            throw new InvalidArgumentException(
                    where + ": the last day is \"" + fields[2].strip() + "\"; allowed: a date as 2027-01-31", e);
        }
    }

    /** Returns a result as its exclusion changes it. */
    RuleResult apply(RuleResult result, LocalDate today) {
        Optional<Exclusion> found = entries.stream()
                .filter(entry -> entry.rule().equals(result.rule().id()))
                .filter(entry -> entry.mode().isEmpty() || entry.mode().get() == result.mode())
                .findFirst();
        if (found.isEmpty()) {
            return result;
        }
        Exclusion entry = found.get();
        if (today.isAfter(entry.lastDay())) {
            return result.with(
                    Outcome.FAILED,
                    "its exclusion (" + entry.reason() + ") expired on " + entry.lastDay()
                            + "; repair what breaks the rule, or decide anew. " + result.reason());
        }
        return switch (result.outcome()) {
            case FAILED ->
                result.with(Outcome.EXCLUDED, entry.reason() + ", until " + entry.lastDay() + ": " + result.reason());
            case PASSED ->
                result.with(Outcome.WARNED, "is excluded (" + entry.reason() + ") but kept; remove the line");
            default -> result;
        };
    }
}
