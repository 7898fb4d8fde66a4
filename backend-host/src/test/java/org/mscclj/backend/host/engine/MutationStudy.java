package org.mscclj.backend.host.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mscclj.analysis.verdict.Finding;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.analysis.verify.Verifier;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.FixedReduceOp;
import org.mscclj.plan.validation.PlanValidator;

/**
 * Holds the verifier's verdicts on mutants of plans against a search for schedules in which they go wrong on the host
 * engine.
 *
 * <p>A false proof is a proved mutant that goes wrong. A refuted mutant for which nothing is found is tried again in
 * the orders that a block's threads may take ({@link Reorderings}). False refutations are counted among plans that are
 * right by construction ({@link RightVariants}).
 *
 * <p>Run by hand for large numbers; arguments: mutants in all, steps to spend on each, seed, and folders of plans.
 */
final class MutationStudy implements AutoCloseable {
    private static final long STEPS_REORDERED = 12_000;
    private static final long STEPS_OF_BASE = 20_000;

    private final SteppedMemory memory = new SteppedMemory();
    private final long mostSteps;
    private final Map<String, Integer> mutants = new TreeMap<>();
    private final Map<String, Integer> right = new TreeMap<>();
    private final List<String> disagreements = new ArrayList<>();

    MutationStudy(long mostSteps) {
        this.mostSteps = mostSteps;
    }

    /** What the verifier says of a valid plan. */
    static String verdict(Plan plan) {
        return words(Verifier.verify(plan));
    }

    private static String words(Verdict verdict) {
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
        try (SteppedMemory memory = new SteppedMemory()) {
            return fault(plan, memory, mostSteps);
        }
    }

    private static Optional<String> fault(Plan plan, SteppedMemory memory, long mostSteps) {
        Optional<String> contradiction = FixedReduceOp.contradiction(plan);
        if (contradiction.isPresent()) {
            return contradiction; // the runtime refuses every call
        }
        return new ScheduleSearch(plan, memory, mostSteps).find();
    }

    /** Outcomes by verdict and what the search has found. */
    Map<String, Integer> mutants() {
        return mutants;
    }

    /** Verdicts on plans that are right by construction. */
    Map<String, Integer> right() {
        return right;
    }

    /** Proofs of what goes wrong, and refutations of what is right, in words. */
    List<String> disagreements() {
        return disagreements;
    }

    /**
     * The mutants of a plan, in an order that a seed chooses: those of its shape and the others by turns, as long as
     * there are both.
     */
    private static Deque<Mutants.Mutant> mutants(String name, Plan plan, long seed) {
        Random random = new Random(seed * 31 + name.hashCode());
        List<List<Mutants.Mutant>> kinds =
                List.of(new ArrayList<>(ShapeMutants.of(plan)), new ArrayList<>(Mutants.of(plan)));
        kinds.forEach(kind -> Collections.shuffle(kind, random));
        Deque<Mutants.Mutant> all = new ArrayDeque<>();
        while (!kinds.stream().allMatch(List::isEmpty)) {
            kinds.stream().filter(kind -> !kind.isEmpty()).forEach(kind -> all.add(kind.removeLast()));
        }
        return all;
    }

    /** Judges so many mutants of some plans, one of each by turns. */
    void mutate(Map<String, Plan> plans, int count, long seed) {
        Map<String, Deque<Mutants.Mutant>> open = new LinkedHashMap<>();
        plans.forEach((name, plan) -> open.put(name, mutants(name, plan, seed)));
        int done = 0;
        while (done < count && !open.isEmpty()) {
            for (Map.Entry<String, Deque<Mutants.Mutant>> plan : List.copyOf(open.entrySet())) {
                boolean judged = false;
                while (done < count && !judged && !plan.getValue().isEmpty()) {
                    judged = judge(plan.getKey(), plan.getValue().remove());
                }
                done += judged ? 1 : 0;
                if (!judged) {
                    open.remove(plan.getKey());
                }
            }
        }
    }

    /** Judges one; false if it is not well formed. */
    private boolean judge(String name, Mutants.Mutant mutant) {
        Plan plan = mutant.plan();
        if (!isValid(plan)) {
            mutants.merge("not well formed (not counted)", 1, Integer::sum);
            return false;
        }
        Verdict verdict = Verifier.verify(plan);
        String words = words(verdict);
        Optional<String> fault = fault(plan, memory, mostSteps);
        String outcome = fault.isPresent() ? "goes wrong" : "nothing found";
        if (fault.isEmpty() && verdict.isRefuted()) {
            boolean reordered = Reorderings.of(plan, verdict.findings()).stream()
                    .anyMatch(other -> isValid(other.plan()) && goesWrong(other));
            Finding first = verdict.findings().getFirst();
            outcome = reordered ? "goes wrong reordered" : "nothing found, " + first.kind();
            if (!reordered) {
                System.out.println("NOTHING FOUND " + name + ": " + mutant.what() + ": " + first);
            }
        }
        mutants.merge(words + ", " + outcome, 1, Integer::sum);
        int judged = mutants.values().stream().mapToInt(number -> number).sum();
        if (judged % 500 == 0) {
            System.out.println("so far " + mutants);
        }
        if (fault.isPresent() && verdict.isProved()) {
            disagreements.add("false proof of " + name + ": " + mutant.what() + ": " + fault.get());
            System.out.println("FALSE PROOF " + name + ": " + mutant.what() + ": " + fault.get());
        } else if (fault.isPresent() && !verdict.isRefuted()) {
            System.out.println("UNDECIDED, GOES WRONG " + name + ": " + mutant.what() + ": " + fault.get() + ": "
                    + verdict.findings().getFirst());
        }
        return true;
    }

    private boolean goesWrong(Reorderings.Reordering other) {
        return new ScheduleSearch(other.plan(), memory, STEPS_REORDERED)
                .findHolding(other.rank(), other.block())
                .isPresent();
    }

    @Override
    public void close() {
        memory.close();
    }

    private static boolean isValid(Plan plan) {
        try {
            PlanValidator.validate(plan);
            return true;
        } catch (InvalidArgumentException e) {
            return false;
        }
    }

    /** Judges the variants of a plan, which are right if it is. */
    void vary(String name, Plan plan) {
        if (fault(plan, memory, STEPS_OF_BASE).isPresent()) {
            right.merge("left out, since the plan itself goes wrong", 1, Integer::sum);
            return;
        }
        for (Mutants.Mutant variant : RightVariants.of(plan)) {
            if (!isValid(variant.plan())) {
                continue;
            }
            Verdict verdict = Verifier.verify(variant.plan());
            Optional<String> fault = fault(variant.plan(), memory, mostSteps / 4);
            right.merge(words(verdict) + (fault.isPresent() ? ", goes wrong" : ""), 1, Integer::sum);
            if (!verdict.isProved() || fault.isPresent()) {
                String what = words(verdict) + ": " + name + ", " + variant.what() + ": " + verdict.findings() + " "
                        + fault.orElse("");
                disagreements.add(what);
                System.out.println("RIGHT " + what);
            }
        }
    }

    /** Runs the study. */
    public static void main(String[] arguments) throws IOException {
        int count = Integer.parseInt(arguments[0]);
        try (MutationStudy study = new MutationStudy(Long.parseLong(arguments[1]))) {
            study.run(arguments, count);
        }
    }

    private void run(String[] arguments, int count) throws IOException {
        long seed = Long.parseLong(arguments[2]);
        Map<String, Plan> plans =
                StudyPlans.all(Stream.of(arguments).skip(3).map(Path::of).toList());
        System.out.println(plans.size() + " plans, seed " + seed);
        if (!Boolean.getBoolean("mscclj.study.mutants")) {
            plans.forEach(this::vary);
            System.out.println("right plans: " + right);
        }
        mutate(plans, count, seed);
        System.out.println("all: " + mutants);
    }
}
