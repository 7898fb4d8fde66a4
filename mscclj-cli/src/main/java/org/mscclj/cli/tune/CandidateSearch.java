package org.mscclj.cli.tune;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Finds the fastest candidates with few trials. A program begins with one number of blocks; more and fewer are tried as
 * long as they are not clearly slower. A program that is far behind is not tried further, and other numbers of threads
 * are tried for the fastest candidates only. All ranks measure equal times, and so decide alike. Used by one thread.
 */
final class CandidateSearch {
    /** A program whose first trial is slower than the fastest candidate by this factor is not tried further. */
    static final double FAR = 2;

    /** A number of blocks that is slower than the best one of its program by this factor ends its direction. */
    static final double WORSE = 1.1;

    /** A number of blocks that is faster by this factor leads on. */
    private static final double BETTER = 0.99;

    /** This many numbers in turn that do not lead on end their direction. */
    private static final int MAX_IN_VAIN = 2;

    /** By how much the blocks are fewer in the second trial of a program whose first one cannot serve the call. */
    private static final int FEWER = 4;

    /** A candidate within this factor of the fastest one is near it. */
    static final double NEARLY = 1.15;

    /** Measures a candidate, and checks it. */
    interface Trial {
        /**
         * Returns the time of a launch, in microseconds; empty if the candidate cannot serve the call.
         *
         * @param fastestMicros the time of the fastest candidate so far; a candidate that is far behind may be measured
         *     roughly
         */
        OptionalDouble micros(Candidate candidate, double fastestMicros);

        /** Returns whether the result of a candidate that serves the call is right. */
        boolean isRight(Candidate candidate);
    }

    private final CandidateSpace space;
    private final Trial trial;
    private final Map<Candidate, OptionalDouble> tried = new LinkedHashMap<>();
    private double fastest = Double.POSITIVE_INFINITY;

    private CandidateSearch(CandidateSpace space, Trial trial) {
        this.space = space;
        this.trial = trial;
    }

    /**
     * Searches.
     *
     * @param before the best candidates of the next smaller size, by program
     * @return the candidates that were tried and serve the call, the fastest first; its result is right, and those of
     *     others may be wrong
     */
    static List<TimedCandidate> run(CandidateSpace space, Map<String, Candidate> before, Trial trial) {
        CandidateSearch search = new CandidateSearch(space, trial);
        space.starts(before).forEach(search::sizes);
        search.sorted().stream()
                .filter(near -> near.micros() <= NEARLY * search.fastest)
                .forEach(near -> search.threads(near.candidate()));
        return search.sorted();
    }

    /**
     * Returns the best candidate of each program that was tried with several numbers of blocks, for the search of the
     * next size. A program that was far behind begins with the number of the thresholds again.
     *
     * @param sorted what a search has found
     */
    static Map<String, Candidate> explored(List<TimedCandidate> sorted) {
        Map<String, Candidate> best = new LinkedHashMap<>();
        sorted.stream()
                .filter(trial -> trial.micros() <= FAR * sorted.getFirst().micros())
                .forEach(trial -> best.putIfAbsent(
                        trial.candidate().name(), trial.candidate().threads(0)));
        return best;
    }

    private void sizes(Candidate usual) {
        if (!space.isNative(usual)) {
            blocks(usual);
        } else if (!Double.isInfinite(micros(usual))) {
            space.sizes(usual).forEach(this::micros);
        }
    }

    private void blocks(Candidate usual) {
        // a launch may be too large for the device, or the program cannot serve the call at all
        Candidate start = Double.isInfinite(micros(usual)) && usual.blocks() > 1
                ? usual.blocks(Math.max(1, usual.blocks() / FEWER))
                : usual;
        double first = micros(start);
        if (Double.isInfinite(first) || first > FAR * fastest) {
            return;
        }
        List<Integer> numbers = CandidateSpace.blocks(start.blocks());
        int middle = numbers.indexOf(start.blocks());
        double best = direction(start, first, numbers.subList(middle + 1, numbers.size()));
        double _ = direction(start, best, numbers.subList(0, middle).reversed());
    }

    private double direction(Candidate start, double best, List<Integer> numbers) {
        double least = best;
        int inVain = 0;
        for (int blocks : numbers) {
            double micros = micros(start.blocks(blocks));
            inVain = micros < BETTER * least ? 0 : inVain + 1;
            if (micros > WORSE * least || inVain == MAX_IN_VAIN) {
                break;
            }
            least = Math.min(least, micros);
        }
        return least;
    }

    private void threads(Candidate near) {
        double before = micros(near);
        for (int threads : space.threads(near)) {
            double micros = micros(near.threads(threads));
            if (micros > before) {
                break;
            }
            before = micros;
        }
    }

    private double micros(Candidate candidate) {
        OptionalDouble known = tried.get(candidate);
        if (known == null) {
            known = trial.micros(candidate, fastest);
            // others are compared with the fastest one, so it must not be one that computes something else
            if (known.isPresent() && known.getAsDouble() < fastest && !trial.isRight(candidate)) {
                known = OptionalDouble.empty();
            }
            tried.put(candidate, known);
        }
        double micros = known.orElse(Double.POSITIVE_INFINITY);
        fastest = Math.min(fastest, micros);
        return micros;
    }

    private List<TimedCandidate> sorted() {
        return tried.entrySet().stream()
                .flatMap(entry -> entry.getValue().isPresent()
                        ? Optional.of(new TimedCandidate(
                                        entry.getKey(), entry.getValue().getAsDouble()))
                                .stream()
                        : Optional.<TimedCandidate>empty().stream())
                .sorted(Comparator.comparingDouble(TimedCandidate::micros))
                .toList();
    }
}
