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
import org.mscclj.cli.stress.fault.Rendezvous;
import org.mscclj.cli.stress.rank.Report;
import org.mscclj.spi.Feature;

/**
 * Kills, terminates or stops one or two processes of a group, in each phase from the rendezvous to the end, and one
 * more while the others recover. The numbers of ranks and nodes are drawn. Each rank that is left must name a harmed
 * rank, and no other, within the timeout. All ranks that are left must then go on in one group.
 *
 * @param cases how many
 * @param only the number of the only case to make
 * @param lanes how many cases are made at the same time, each with processes of its own
 * @param timeout the communicators'
 * @param features of the backend
 */
public record Chaos(int cases, Optional<Integer> only, int lanes, Duration timeout, Set<Feature> features)
        implements FaultScenario {
    /** The timeout where nothing else is said. */
    public static final Duration USUAL_TIMEOUT = Duration.ofSeconds(4);

    /** Copies the set. */
    public Chaos {
        features = Set.copyOf(features);
    }

    @Override
    public FaultResult run(FaultSettings settings) {
        FaultResult result = new FaultResult("chaos", "from the harm until a rank has named a harmed rank", settings);
        Iterator<Integer> numbers = IntStream.range(
                        only.orElse(0), only.map(number -> number + 1).orElse(cases))
                .iterator();
        try (Leftovers leftovers = Leftovers.begin()) {
            Runnable lane = () -> lane(numbers, leftovers, settings, result);
            try (ExecutorService threads = Executors.newFixedThreadPool(lanes)) {
                Collections.nCopies(only.isPresent() ? 1 : lanes, lane).forEach(threads::execute);
            }
            leftovers.tell(result);
            nextJob(settings.backend(), leftovers);
            leftovers.tellAfterNextJob(result);
        } catch (RuntimeException e) { // the results of the cases are reported all the same
            result.failed("the end", e.toString());
        }
        return result;
    }

    /** Two ranks meet, and go. */
    private void nextJob(String backend, Leftovers leftovers) {
        try (Members members = new Members(backend, leftovers, 2);
                Rendezvous rendezvous = new Meetings(Members.PATIENCE, backend).of(2, 2)) {
            members.begin(2);
            for (int rank = 0; rank < 2; rank++) {
                members.rank(rank).tell(rendezvous.opening(rank));
            }
            for (int rank = 0; rank < 2; rank++) {
                members.rank(rank).await(Report.Kind.DONE, Members.PATIENCE);
            }
            members.end();
            members.dismiss();
        }
    }

    /** With what the watchdog may add: an eighth of its limit, and a second for those who do not answer. */
    private Duration latest() {
        return timeout.plus(timeout.dividedBy(8)).plusSeconds(1);
    }

    /** Makes one case after the other, with the same processes as long as they live. */
    private void lane(Iterator<Integer> numbers, Leftovers leftovers, FaultSettings settings, FaultResult result) {
        try (Members members = new Members(settings.backend(), leftovers, Members.MOST)) {
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
            new ChaosRun(drawn, members, transcript, new Meetings(timeout, settings.backend())).run();
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
