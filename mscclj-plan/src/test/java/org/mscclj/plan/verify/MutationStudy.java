package org.mscclj.plan.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;
import org.mscclj.plan.validation.PlanValidator;

/** Counts how many one-operation mutants of plans are refuted, and lists those that are not. Run by hand; arguments: plan files. */
final class MutationStudy {
    private MutationStudy() {}

    /** Runs the study over the plans of a folder, or the named files. */
    public static void main(String[] arguments) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String argument : arguments) {
            try (Stream<Path> all = Files.walk(Path.of(argument))) {
                all.filter(file -> file.toString().endsWith(".json")).sorted().forEach(files::add);
            }
        }
        for (Path file : files) {
            Plan plan;
            try {
                plan = PlanReader.read(file);
            } catch (InvalidArgumentException e) {
                System.out.println(file.getFileName() + ": unreadable");
                continue;
            }
            study(file.getFileName().toString(), plan);
        }
    }

    private static void study(String name, Plan plan) {
        Map<String, Integer> counts = new TreeMap<>();
        List<String> survivors = new ArrayList<>();
        for (Mutants.Mutant mutant : Mutants.of(plan)) {
            String outcome;
            try {
                PlanValidator.validate(mutant.plan());
                Verdict verdict = Verifier.verify(mutant.plan());
                outcome = verdict.isRefuted()
                        ? "refuted"
                        : verdict.isProved() ? verdict.notes().isEmpty() ? "PROVED" : "raised" : "undecided";
            } catch (InvalidArgumentException e) {
                outcome = "invalid";
            }
            counts.merge(outcome, 1, Integer::sum);
            if (outcome.equals("PROVED") || outcome.equals("undecided")) {
                survivors.add(outcome + ": " + mutant.what());
            }
        }
        System.out.println(name + ": " + counts);
        survivors.stream().limit(12).forEach(survivor -> System.out.println("  " + survivor));
    }
}
