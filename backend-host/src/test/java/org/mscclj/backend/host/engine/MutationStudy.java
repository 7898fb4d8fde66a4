package org.mscclj.backend.host.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.validation.PlanValidator;
import org.mscclj.plan.verify.Verdict;
import org.mscclj.plan.verify.Verifier;

/**
 * Holds the verifier's verdicts on one-operation mutants of plans against a search for schedules in which they go wrong on the host engine.
 * Run by hand; arguments: how many steps to spend on a mutant, and plan files or folders.
 */
final class MutationStudy {
    private MutationStudy() {}

    /** What the verifier says of a valid plan. */
    static String verdict(Plan plan) {
        Verdict verdict = Verifier.verify(plan);
        if (verdict.isRefuted()) {
            return "refuted";
        }
        if (!verdict.isProved()) {
            return "undecided";
        }
        return verdict.notes().isEmpty() ? "proved" : "proved, with notes";
    }

    /** What the search finds. */
    static Optional<String> fault(Plan plan, long mostSteps) {
        try (ScheduleSearch search = new ScheduleSearch(plan, mostSteps)) {
            return search.find();
        }
    }

    /** Runs the study. */
    public static void main(String[] arguments) throws IOException {
        long mostSteps = Long.parseLong(arguments[0]);
        List<Path> files = new ArrayList<>();
        for (String argument : List.of(arguments).subList(1, arguments.length)) {
            try (Stream<Path> all = Files.walk(Path.of(argument))) {
                all.filter(file -> file.toString().endsWith(".json")).sorted().forEach(files::add);
            }
        }
        Map<String, Integer> total = new TreeMap<>();
        for (Path file : files) {
            Plan plan;
            try {
                plan = PlanReader.read(file);
            } catch (InvalidArgumentException e) {
                System.out.println(file.getFileName() + ": unreadable");
                continue;
            }
            Map<String, Integer> counts = study(plan, mostSteps);
            System.out.println(file.getFileName() + ": " + counts);
            counts.forEach((outcome, count) -> total.merge(outcome, count, Integer::sum));
        }
        System.out.println("all: " + total);
    }

    private static Map<String, Integer> study(Plan plan, long mostSteps) {
        Map<String, Integer> counts = new TreeMap<>();
        if (!SteppedRanks.supports(plan)) {
            counts.put("not steppable", 1);
            return counts;
        }
        for (Mutants.Mutant mutant : Mutants.of(plan)) {
            try {
                PlanValidator.validate(mutant.plan());
            } catch (InvalidArgumentException e) {
                counts.merge("invalid", 1, Integer::sum);
                continue;
            }
            String verdict = verdict(mutant.plan());
            Optional<String> fault = fault(mutant.plan(), mostSteps);
            counts.merge(verdict + (fault.isPresent() ? ", found" : ", not found"), 1, Integer::sum);
            if (fault.isPresent() && !verdict.equals("refuted")) {
                System.out.println("  " + verdict + ", but " + fault.get() + ": " + mutant.what());
            }
        }
        return counts;
    }
}
