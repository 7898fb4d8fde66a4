package org.mscclj.api;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.api.algorithm.AlgorithmCandidate;
import org.mscclj.api.algorithm.AlgorithmNeed;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.Selection;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.type.Collective;

/**
 * An algorithm that an application picks itself, instead of leaving the choice to the communicator: a shipped program,
 * a registered plan, a native algorithm or a fallback, by its name in the communicator. Source of the idea: MSCCL++'s
 * {@code Algorithm} and its {@code execute}.
 *
 * @param name the name in an {@link AlgorithmCollection}
 * @param collective the collective
 * @param target the name by which a {@link CollectiveCall#algorithm call} names it; empty if mscclj does not have the
 *     algorithm, which is then refused wherever it is picked
 * @param needs what it needs, as far as that is known before a call
 */
public record Algorithm(String name, Collective collective, Optional<String> target, Set<AlgorithmNeed> needs) {
    /** Copies the set. */
    public Algorithm {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(target, "target");
        Set<AlgorithmNeed> copy = EnumSet.noneOf(AlgorithmNeed.class);
        copy.addAll(Objects.requireNonNull(needs, "needs"));
        needs = Collections.unmodifiableSet(copy);
    }

    /** Creates an algorithm of whose needs nothing is known before a call. */
    public Algorithm(String name, Collective collective, String target) {
        this(name, collective, Optional.of(target), Set.of());
    }

    /** Returns the algorithm of a collective that has the same name in a communicator. */
    public static Algorithm named(Collective collective, String name) {
        return new Algorithm(name, collective, name);
    }

    /**
     * Returns the reason why it cannot serve calls of a shape, as far as the shape shows it; empty if it may. Equal on
     * all ranks.
     */
    public Optional<String> refusal(CallShape call) {
        Objects.requireNonNull(call, "call");
        if (call.collective() != collective) {
            return Optional.of("it computes " + collective);
        }
        if (target.isEmpty()) {
            return Optional.of(absence());
        }
        return needs.contains(AlgorithmNeed.REGISTERED_BUFFERS) && !call.registered()
                ? Optional.of("it needs " + AlgorithmNeed.REGISTERED_BUFFERS)
                : Optional.empty();
    }

    /**
     * Returns the reason why the communicator of a call cannot serve it by this algorithm; empty if it can. Calls
     * nothing and asks no rank, as {@link Communicator#explain}.
     *
     * @throws InvalidArgumentException if the call is not well formed, or the communicator has no algorithm of the name
     */
    public Optional<String> refusal(AlgorithmCall call) {
        Objects.requireNonNull(call, "call");
        if (target.isEmpty()) {
            return Optional.of(absence());
        }
        Selection selection = call.communicator().explain(collectiveCall(call, target.get()));
        return selection.chosen().isPresent()
                ? Optional.empty()
                : Optional.of(selection.candidates().stream()
                        .filter(candidate -> candidate.name().equals(LaunchSize.base(target.get())))
                        .findFirst()
                        .map(AlgorithmCandidate::reason)
                        .orElse("the communicator does not have it for " + collective));
    }

    private String absence() {
        return "mscclj does not have this algorithm"
                + (needs.isEmpty()
                        ? ""
                        : needs.stream()
                                .map(AlgorithmNeed::toString)
                                .collect(Collectors.joining(" and ", ", which needs ", "")))
                + "; pick another one, or call the communicator, which chooses by itself";
    }

    /**
     * Executes a call by this algorithm. Collective the first time, as {@link Communicator#execute(CollectiveCall)} is.
     * The numbers of blocks and threads, the statement of symmetric memory, the accumulation type and the names of
     * extra parameters must be equal on all ranks.
     *
     * @throws UnsupportedException if the communicator has no such algorithm for the call, or if it does not take a
     *     number of blocks or threads, an extra parameter or an accumulation type; see
     *     {@link NativeAlgorithm#allowedArguments}
     * @throws InvalidArgumentException if the call is not well formed
     */
    public Work execute(AlgorithmCall call) {
        Objects.requireNonNull(call, "call");
        CollectiveCall collectiveCall =
                collectiveCall(call, target.orElseThrow(() -> new UnsupportedException(this + ": " + absence())));
        return call.stream().isPresent()
                ? call.communicator().execute(collectiveCall, call.stream().get())
                : call.communicator().execute(collectiveCall);
    }

    private CollectiveCall collectiveCall(AlgorithmCall call, String named) {
        return new CollectiveCall(
                collective,
                call.input(),
                call.output(),
                call.type(),
                call.op(),
                call.root(),
                Optional.of(named + new LaunchSize(call.blocks(), call.threadsPerBlock()).suffix()),
                call.arguments(),
                CallOptions.NONE);
    }

    @Override
    public String toString() {
        return collective + " algorithm " + name;
    }
}
