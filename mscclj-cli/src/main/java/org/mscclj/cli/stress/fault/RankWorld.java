package org.mscclj.cli.stress.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.mscclj.api.Quorum;
import org.mscclj.api.UniqueId;
import org.mscclj.cli.stress.rank.Report;

/**
 * All ranks, each a process of its own, and one that waits to take the place of a killed one: starting takes much
 * longer than a case.
 */
final class RankWorld implements AutoCloseable {
    /** What anything may take that is not measured, on busy machines too. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private final FaultSettings settings;
    private final Map<String, String> environment;
    private final List<RankProcess> ranks = new ArrayList<>();
    private RankProcess spare;

    /** Starts them, with more variables in their environment. */
    RankWorld(FaultSettings settings, Map<String, String> environment) {
        this.settings = settings;
        this.environment = environment;
        for (int rank = 0; rank < settings.ranks(); rank++) {
            ranks.add(RankProcess.start(environment));
        }
        this.spare = RankProcess.start(environment);
    }

    RankProcess rank(int rank) {
        return ranks.get(rank);
    }

    /** All ranks but one. */
    List<Integer> others(int rank) {
        return where(other -> other != rank);
    }

    private List<Integer> where(IntPredicate condition) {
        return IntStream.range(0, ranks.size()).filter(condition).boxed().toList();
    }

    /** Has all of them open a communicator. */
    void open(Duration timeout) {
        try (Rendezvous rendezvous =
                Rendezvous.of(ranks.size(), settings.ranksPerNode(), timeout, settings.backend())) {
            for (int rank = 0; rank < ranks.size(); rank++) {
                rank(rank).tell(rendezvous.opening(rank));
            }
            awaitAll(Report.Kind.DONE);
        }
    }

    /** Has all of them open a communicator, whose control connections a relay carries. */
    void open(Duration timeout, ControlRelay relay) {
        String secret = UniqueId.randomSecret();
        for (int rank = 0; rank < ranks.size(); rank++) {
            rank(rank)
                    .tell("connect " + relay.address(rank) + " " + relay.port(rank) + " " + secret + " "
                            + place(rank, timeout));
        }
        awaitAll(Report.Kind.DONE);
    }

    private String place(int rank, Duration timeout) {
        return rank + " " + ranks.size() + " " + settings.ranksPerNode() + " " + timeout.toMillis() + " "
                + settings.backend();
    }

    /** Tells all of them. */
    void tell(String line) {
        ranks.forEach(rank -> rank.tell(line));
    }

    /** Waits for a report of each. */
    void awaitAll(Report.Kind kind) {
        ranks.forEach(rank -> rank.await(kind, PATIENCE));
    }

    /** Has all others go on without a rank that they have lost, which takes a right sum. */
    void shrink(int lost) {
        List<Integer> left = others(lost);
        left.forEach(rank -> rank(rank).tell("shrink " + lost));
        left.forEach(rank -> awaitNumber(rank, left.indexOf(rank), left.size()));
        left.forEach(rank -> rank(rank).await(Report.Kind.DONE, PATIENCE));
    }

    /** Waits until a process has another communicator, in which it must be a certain rank of so many. */
    private void awaitNumber(int rank, int number, int size) {
        List<Integer> told =
                rank(rank).await(Report.Kind.FORMED, PATIENCE).report().ranks();
        if (!told.equals(List.of(number, size))) {
            throw new IllegalStateException("rank " + rank + " must be rank " + number + " of " + size
                    + " in the next communicator, and says " + told);
        }
    }

    /**
     * Has the one that waits take the place of one that was killed, beside the others, who have shrunk; which takes a
     * right sum of all.
     */
    void grow(int lost) {
        List<Integer> members = IntStream.range(0, ranks.size())
                .map(rank -> rank == lost ? Quorum.NEWCOMER : rank < lost ? rank : rank - 1)
                .boxed()
                .toList();
        try (Rendezvous rendezvous =
                Rendezvous.ofQuorum(ranks.size(), settings.ranksPerNode(), settings.timeout(), settings.backend())) {
            others(lost).forEach(rank -> rank(rank).tell(rendezvous.growing(members)));
            spare.tell(rendezvous.joining(members, lost));
            replace(lost);
            others(-1).forEach(rank -> awaitNumber(rank, rank, ranks.size()));
            awaitAll(Report.Kind.DONE);
        }
    }

    /** Has all of them close their communicators. */
    void closeCommunicators() {
        tell("close");
        awaitAll(Report.Kind.DONE);
    }

    /** Puts the one that waits in the place of one that was killed. */
    private void replace(int rank) {
        ranks.set(rank, spare);
        spare = RankProcess.start(environment);
    }

    /**
     * Makes one case of a fault. If it throws, that is written down as {@code what}, and all ranks are started anew.
     */
    void attempt(FaultResult result, String what, Runnable fault) {
        result.begin();
        try {
            fault.run();
        } catch (RuntimeException e) {
            result.failed(what, e.toString());
            restart();
        }
    }

    /** Starts all of them anew, after something went wrong that may have left any of them in any state. */
    void restart() {
        close();
        ranks.replaceAll(_ -> RankProcess.start(environment));
        spare = RankProcess.start(environment);
    }

    @Override
    public void close() {
        ranks.forEach(RankProcess::close);
        spare.close();
    }
}
