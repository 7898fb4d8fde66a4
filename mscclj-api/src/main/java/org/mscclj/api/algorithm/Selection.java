package org.mscclj.api.algorithm;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The selection of an algorithm for a call, with all candidates in the order in which they are considered.
 *
 * @param call describes the call
 * @param candidates at most one of them is chosen
 */
public record Selection(String call, List<AlgorithmCandidate> candidates) {
    /** Copies the list. */
    public Selection {
        candidates = List.copyOf(candidates);
    }

    /** Returns the candidate that serves the call; empty if none does. */
    public Optional<AlgorithmCandidate> chosen() {
        return candidates.stream()
                .filter(candidate -> candidate.decision() == AlgorithmCandidate.Decision.CHOSEN)
                .findFirst();
    }

    /** Returns the call, and a line for each candidate. */
    @Override
    public String toString() {
        return candidates.stream()
                .map(candidate -> System.lineSeparator() + "  " + candidate)
                .collect(Collectors.joining("", call, ""));
    }
}
