package org.mscclj.cli.stress.chaos;

import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.mscclj.cli.stress.fault.FaultResult;
import org.mscclj.cli.stress.fault.FaultScenario;
import org.mscclj.cli.stress.fault.FaultSettings;
import org.mscclj.cli.stress.fault.TestRendezvous;
import org.mscclj.cli.stress.rank.RankReport;
import org.mscclj.spi.Feature;

/**
 * A scenario that kills, terminates or stops one or two processes of a group, in each phase from the rendezvous to the
 * end, and one more during recovery. The numbers of ranks and nodes are random. Each survivor must name a harmed rank,
 * and no other rank, within the timeout. All survivors must then continue in one group.
 *
 * @param cases the number of cases
 * @param only the number of the only case to run
 * @param lanes the number of concurrent cases, each with its own processes
 * @param timeout the timeout of the communicators
 * @param features the features of the backend
 */
public record Chaos(int cases, Optional<Integer> only, int lanes, Duration timeout, Set<Feature> features)
        implements FaultScenario {
    /** The default timeout. */
    public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(4);

    /** Copies the set. */
    public Chaos {
        features = Set.copyOf(features);
    }

    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result = new FaultResult("chaos", "from the fault until a rank has named a harmed rank", settings);
        Iterator<Integer> numbers = IntStream.range(
                        only.orElse(0), only.map(number -> number + 1).orElse(cases))
                .iterator();
        try (Leftovers leftovers = Leftovers.begin()) {
            Runnable lane = () -> lane(numbers, leftovers, settings, result);
            try (ExecutorService threads = Executors.newFixedThreadPool(lanes)) {
                Collections.nCopies(only.isPresent() ? 1 : lanes, lane).forEach(threads::execute);
            }
            leftovers.report(result);
            nextJob(settings.backend(), leftovers);
            leftovers.reportAfterNextJob(result);
        } catch (RuntimeException e) { // the results of the cases are reported anyway
            result.failed("the end", e.toString());
        }
        return result;
    }

    /** Opens and closes a group of two ranks. */
    private void nextJob(String backend, Leftovers leftovers) {
        try (Members members = new Members(backend, leftovers, 2);
                TestRendezvous rendezvous = new RendezvousFactory(Members.STEP_TIMEOUT, backend).of(2, 2)) {
            members.begin(2);
            for (int rank = 0; rank < 2; rank++) {
                members.rank(rank).send(rendezvous.opening(rank));
            }
            for (int rank = 0; rank < 2; rank++) {
                members.rank(rank).await(RankReport.Kind.DONE, Members.STEP_TIMEOUT);
            }
            members.end();
            members.dismiss();
        }
    }

    /**
     * Returns the limit with what the watchdog may add: an eighth of its timeout, and a second for ranks that do not
     * answer.
     */
    private Duration latest() {
        return timeout.plus(timeout.dividedBy(8)).plusSeconds(1);
    }

    /** Runs cases in sequence, with the same processes while they live. */
    private void lane(Iterator<Integer> numbers, Leftovers leftovers, FaultSettings settings, FaultResult result) {
        try (Members members = new Members(settings.backend(), leftovers, Members.MAX_PROCESSES)) {
            for (Optional<Integer> number = next(numbers); number.isPresent(); number = next(numbers)) {
                attempt(
                        ChaosCase.draw(settings.seed(), number.orElseThrow(), features),
                        members,
                        new Transcript(result, latest().plus(settings.limit())),
                        settings,
                        result);
            }
            members.dismiss();
        } catch (RuntimeException e) {
            result.failed("a lane", e.toString());
        }
    }

    private static Optional<Integer> next(Iterator<Integer> numbers) {
        synchronized (numbers) {
            return numbers.hasNext() ? Optional.of(numbers.next()) : Optional.empty();
        }
    }

    private void attempt(
            ChaosCase drawn, Members members, Transcript transcript, FaultSettings settings, FaultResult result) {
        result.begin();
        try {
            new ChaosRun(drawn, members, transcript, new RendezvousFactory(timeout, settings.backend())).run();
        } catch (RuntimeException e) {
            transcript.wrong(e.toString());
        }
        result.judged(drawn.kind(), transcript.isRight());
        if (!transcript.isRight()) {
            result.failed(
                    drawn.kind(),
                    drawn + "; again: --scenario chaos --seed " + settings.seed() + " --case " + drawn.number()
                            + "\n      " + transcript.text());
            members.restart();
        }
    }
}
