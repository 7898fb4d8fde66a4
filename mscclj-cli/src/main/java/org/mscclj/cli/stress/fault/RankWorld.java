package org.mscclj.cli.stress.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.mscclj.api.Quorum;
import org.mscclj.api.UniqueId;
import org.mscclj.cli.stress.rank.RankReport;

/**
 * The processes of all ranks, and a spare process that replaces a killed one, since starting takes much longer than a
 * case.
 */
final class RankWorld implements AutoCloseable {
    /** Time limit of steps that are not measured, generous for busy machines. */
    static final Duration STEP_TIMEOUT = Duration.ofSeconds(90);

    private final FaultSettings settings;
    private final Map<String, String> environment;
    private final List<ChildRank> ranks = new ArrayList<>();
    private ChildRank spare;

    /** Starts the processes with additional environment variables. */
    RankWorld(FaultSettings settings, Map<String, String> environment) {
        this.settings = settings;
        this.environment = environment;
        for (int rank = 0; rank < settings.ranks(); rank++) {
            ranks.add(ChildRank.start(environment));
        }
        this.spare = ChildRank.start(environment);
    }

    ChildRank rank(int rank) {
        return ranks.get(rank);
    }

    /** Returns all ranks but one. */
    List<Integer> others(int rank) {
        return where(other -> other != rank);
    }

    private List<Integer> where(IntPredicate condition) {
        return IntStream.range(0, ranks.size()).filter(condition).boxed().toList();
    }

    /** Makes all ranks open a communicator. */
    void open(Duration timeout) {
        try (TestRendezvous rendezvous =
                TestRendezvous.of(ranks.size(), settings.ranksPerNode(), timeout, settings.backend())) {
            for (int rank = 0; rank < ranks.size(); rank++) {
                rank(rank).send(rendezvous.opening(rank));
            }
            awaitAll(RankReport.Kind.DONE);
        }
    }

    /** Makes all ranks open a communicator, with control connections through a relay. */
    void open(Duration timeout, ControlRelay relay) {
        String secret = UniqueId.randomSecret();
        for (int rank = 0; rank < ranks.size(); rank++) {
            rank(rank)
                    .send("connect " + relay.address(rank) + " " + relay.port(rank) + " " + secret + " "
                            + place(rank, timeout));
        }
        awaitAll(RankReport.Kind.DONE);
    }

    private String place(int rank, Duration timeout) {
        return rank + " " + ranks.size() + " " + settings.ranksPerNode() + " " + timeout.toMillis() + " "
                + settings.backend();
    }

    /** Sends a command to all ranks. */
    void send(String line) {
        ranks.forEach(rank -> rank.send(line));
    }

    /** Waits for a report of each rank. */
    void awaitAll(RankReport.Kind kind) {
        ranks.forEach(rank -> rank.await(kind, STEP_TIMEOUT));
    }

    /** Makes all other ranks shrink after the loss of a rank, and checks a sum. */
    void shrink(int lost) {
        List<Integer> left = others(lost);
        left.forEach(rank -> rank(rank).send("shrink " + lost));
        left.forEach(rank -> awaitNumber(rank, left.indexOf(rank), left.size()));
        left.forEach(rank -> rank(rank).await(RankReport.Kind.DONE, STEP_TIMEOUT));
    }

    /** Waits until a process has another communicator, and checks its rank and the number of ranks. */
    private void awaitNumber(int rank, int number, int size) {
        List<Integer> told =
                rank(rank).await(RankReport.Kind.FORMED, STEP_TIMEOUT).report().ranks();
        if (!told.equals(List.of(number, size))) {
            throw new IllegalStateException("rank " + rank + " must be rank " + number + " of " + size
                    + " in the next communicator, and reports " + told);
        }
    }

    /** Replaces a killed rank by the spare process, after the others have shrunk, and checks a sum of all ranks. */
    void grow(int lost) {
        List<Integer> members = IntStream.range(0, ranks.size())
                .map(rank -> rank == lost ? Quorum.NEWCOMER : rank < lost ? rank : rank - 1)
                .boxed()
                .toList();
        try (TestRendezvous rendezvous = TestRendezvous.ofQuorum(
                ranks.size(), settings.ranksPerNode(), settings.timeout(), settings.backend())) {
            others(lost).forEach(rank -> rank(rank).send(rendezvous.growing(members)));
            spare.send(rendezvous.joining(members, lost));
            replace(lost);
            others(-1).forEach(rank -> awaitNumber(rank, rank, ranks.size()));
            awaitAll(RankReport.Kind.DONE);
        }
    }

    /** Makes all ranks close their communicators. */
    void closeCommunicators() {
        send("close");
        awaitAll(RankReport.Kind.DONE);
    }

    /** Assigns the rank of a killed process to the spare process. */
    private void replace(int rank) {
        ranks.set(rank, spare);
        spare = ChildRank.start(environment);
    }

    /** Runs one case of a fault. An exception is recorded as a failure of {@code what}, and all ranks are restarted. */
    void attempt(FaultResult result, String what, Runnable fault) {
        result.begin();
        try {
            fault.run();
        } catch (RuntimeException e) {
            result.failed(what, e.toString());
            restart();
        }
    }

    /** Restarts all processes after a failure, which may have left them in any state. */
    void restart() {
        close();
        ranks.replaceAll(_ -> ChildRank.start(environment));
        spare = ChildRank.start(environment);
    }

    @Override
    public void close() {
        ranks.forEach(ChildRank::close);
        spare.close();
    }
}
