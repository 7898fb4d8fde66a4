package org.mscclj.runtime.selection;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.plan.PlanHandle;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.language.selection.MappingObstacles;
import org.mscclj.language.selection.ProgramChoice;
import org.mscclj.runtime.fallback.FallbackCandidate;

/** Reports on the selection of an algorithm: every candidate, in the order in which the selection considers them. */
public final class SelectionReport {
    private static final String MEASURED = "the fastest one for this size by measurement";

    private static final String BEST = "the best one for this size of those that can";

    private final AlgorithmSelection selection;
    private final CallDescriptor shape;
    private final CallConditions at;
    private final Optional<Choice> chosen;
    private final List<AlgorithmCandidate> candidates = new ArrayList<>();

    private SelectionReport(
            AlgorithmSelection selection, CallDescriptor shape, boolean registered, MappingObstacles obstacles) {
        this.selection = selection;
        this.shape = shape;
        this.at = selection.programs().conditions(shape, registered, obstacles);
        this.chosen = choose(selection, shape, registered, obstacles);
    }

    /**
     * Reports on the selection for a call; see {@link AlgorithmSelection#choose}.
     *
     * @throws org.mscclj.api.error.InvalidArgumentException if the caller names an algorithm that does not exist
     */
    public static Selection of(
            AlgorithmSelection selection, CallDescriptor shape, boolean registered, MappingObstacles obstacles) {
        SelectionReport report = new SelectionReport(selection, shape, registered, obstacles);
        if (selection.isForced(shape)) {
            report.addFallback();
        }
        report.addPlans();
        report.addNatives();
        report.addPrograms();
        if (!selection.isForced(shape)) {
            report.addFallback();
        }
        return new Selection(shape.toString(), report.candidates);
    }

    private static Optional<Choice> choose(
            AlgorithmSelection selection, CallDescriptor shape, boolean registered, MappingObstacles obstacles) {
        try {
            return Optional.of(selection.choose(shape, registered, obstacles));
        } catch (UnsupportedException _) { // the candidates say why
            return Optional.empty();
        }
    }

    private void addPlans() {
        boolean anyChosen = chosen.filter(choice -> kindOf(choice) == AlgorithmCandidate.Kind.REGISTERED_PLAN)
                .isPresent();
        Optional<String> passedOver =
                anyChosen || selection.isForced(shape) ? Optional.empty() : Optional.of(PlanRegistryImpl.NOT_CHOSEN);
        for (PlanHandle handle : selection.registered().plans().plans()) {
            add(
                    handle.id(),
                    AlgorithmCandidate.Kind.REGISTERED_PLAN,
                    selection.refusal(handle, shape, at).or(() -> AlgorithmSelection.sizeRefusal(handle.id(), shape)),
                    "the selectors choose it",
                    passedOver);
        }
    }

    /**
     * Adds the native algorithms, and the measured one with its size if it cannot serve the call with that size: it may
     * with another one.
     */
    private void addNatives() {
        Optional<MeasuredNative> measured =
                shape.algorithm().isPresent() ? Optional.empty() : selection.measuredNative(shape, at);
        measured.filter(one -> one.refusal().isPresent() && !one.isRegistered())
                .ifPresent(one -> add(one.name(), AlgorithmCandidate.Kind.NATIVE_ALGORITHM, one.refusal(), ""));
        for (NativeAlgorithm<?> algorithm : selection.registered().natives().registered()) {
            add(
                    algorithm.name(),
                    AlgorithmCandidate.Kind.NATIVE_ALGORITHM,
                    selection.refusal(new NamedNative(algorithm, size(algorithm)), shape, at),
                    measured.filter(one -> one.serves(algorithm)).isPresent()
                            ? MEASURED + tuned()
                            : "the first native algorithm that can serve the call",
                    selection.onlyByName(algorithm));
        }
    }

    /** Returns the launch size that the call asks for, if it names an algorithm. */
    private LaunchSize size(NativeAlgorithm<?> algorithm) {
        return shape.algorithm()
                .flatMap(selection.registered().natives()::find)
                .filter(named -> named.algorithm().equals(algorithm))
                .map(NamedNative::size)
                .orElse(LaunchSize.CHOSEN);
    }

    private void addPrograms() {
        Set<ShippedProgram> programs = new LinkedHashSet<>(selection.programs().ranked(shape, at.context()));
        Optional<String> passedOver = selection.programs().measuredRefusal(shape, at.context());
        Stream.of(ShippedProgram.values())
                .filter(program -> program.collectives().contains(shape.collective()))
                .forEach(programs::add);
        for (ShippedProgram program : programs) {
            List<String> refusals = new ArrayList<>();
            Optional<ProgramChoice> choice = selection.programs().choice(program, shape, at.context(), refusals);
            add(
                    program.label(),
                    AlgorithmCandidate.Kind.SHIPPED_PROGRAM,
                    choice.isPresent()
                            ? Optional.empty()
                            : Optional.of(
                                    String.join("; ", refusals).replaceFirst("^\\Q" + program.label() + "\\E: ", "")),
                    (isMeasured(program) && passedOver.isEmpty() ? MEASURED : BEST) + ", with " + launch() + tuned(),
                    isMeasured(program)
                            ? passedOver.map(reason -> MEASURED + ", but passed over: " + reason)
                            : Optional.empty());
        }
    }

    private boolean isMeasured(ShippedProgram program) {
        return selection.programs().measured(shape, at.context()).equals(Optional.of(program));
    }

    /** Says what file of measured choices there is; the exact text of a file that is followed needs no words. */
    private String tuned() {
        String origin = selection.tuning().origin();
        return origin.isEmpty() ? "" : "; " + origin;
    }

    private String launch() {
        return chosen.filter(choice -> choice instanceof Choice.OfPlan)
                .map(Choice.OfPlan.class::cast)
                .map(plan -> plan.blocks() + " blocks on each rank"
                        + (plan.threads() == 0 ? "" : ", of " + plan.threads() + " threads"))
                .orElse("no blocks");
    }

    private void addFallback() {
        Optional<FallbackCandidate.Found> found = selection.foundFallback(shape);
        found.ifPresent(one -> add(
                one.name(),
                AlgorithmCandidate.Kind.FALLBACK,
                one.refusal().or(() -> AlgorithmSelection.sizeRefusal(one.name(), shape)),
                selection.isForced(shape)
                        ? "the user gives " + shape.collective() + " to it"
                        : "nothing else serves the call"));
        Optional<String> named = shape.algorithm().filter(selection.fallback()::isNamed);
        if (named.isPresent() && !named.equals(found.map(FallbackCandidate.Found::name))) {
            add(
                    named.get(),
                    AlgorithmCandidate.Kind.FALLBACK,
                    found.filter(FallbackCandidate.Found::usable)
                            .map(one -> AlgorithmSelection.otherFallback(one.name()))
                            .or(() -> Optional.of("it is not for devices of this backend")),
                    "");
        }
    }

    private void add(String name, AlgorithmCandidate.Kind kind, Optional<String> refusal, String why) {
        add(name, kind, refusal, why, Optional.empty());
    }

    /**
     * Adds a candidate.
     *
     * @param refusal why it cannot serve the call; empty if it can
     * @param why why it is chosen, if it is, and the call does not name it
     * @param onlyByName why calls have to name it; empty if they need not
     */
    private void add(
            String name,
            AlgorithmCandidate.Kind kind,
            Optional<String> refusal,
            String why,
            Optional<String> onlyByName) {
        Optional<String> named = shape.algorithm();
        if (isChosen(name, kind)) {
            candidates.add(new AlgorithmCandidate(
                    name, kind, AlgorithmCandidate.Decision.CHOSEN, named.isPresent() ? "the call names it" : why));
        } else if (refusal.isPresent()) {
            candidates.add(new AlgorithmCandidate(name, kind, AlgorithmCandidate.Decision.REFUSED, refusal.get()));
        } else {
            candidates.add(new AlgorithmCandidate(
                    name,
                    kind,
                    AlgorithmCandidate.Decision.NOT_NEEDED,
                    named.map(other -> "the call names " + other)
                            .or(() -> onlyByName)
                            .or(() -> chosen.map(choice -> choice.algorithm() + " comes first"))
                            .orElseGet(this::noneChosen)));
        }
    }

    /** Says why none is chosen, although some can serve the call. */
    private String noneChosen() {
        return selection.isForced(shape)
                ? "the user gives " + shape.collective() + " to the fallback"
                : "the selectors choose none";
    }

    private boolean isChosen(String name, AlgorithmCandidate.Kind kind) {
        return chosen.filter(choice -> choice.algorithm().equals(name) && kindOf(choice) == kind)
                .isPresent();
    }

    private static AlgorithmCandidate.Kind kindOf(Choice choice) {
        return switch (choice) {
            case Choice.OfPlan plan ->
                plan.shipped() ? AlgorithmCandidate.Kind.SHIPPED_PROGRAM : AlgorithmCandidate.Kind.REGISTERED_PLAN;
            case Choice.OfNative _ -> AlgorithmCandidate.Kind.NATIVE_ALGORITHM;
            case Choice.OfFallback _ -> AlgorithmCandidate.Kind.FALLBACK;
        };
    }
}
