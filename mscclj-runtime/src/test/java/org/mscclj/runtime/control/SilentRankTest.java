package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.agreement.Stand;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Rank 2 of three stops after it has told rank 0 that it has come to the first call, and before it tells rank 1: so the
 * survivors wait in two calls.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentRankTest {
    private static final int STOPPED = 2;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final List<ControlInbox> inboxes =
            Stream.generate(ControlInbox::new).limit(3).toList();
    private final AbortFlag abort = new AbortFlag();

    /** Rank 2 answers no question. */
    private final class Deliver implements Delivery {
        private final int from;

        Deliver(int from) {
            this.from = from;
        }

        @Override
        public void contribute(int to, long number, Topic topic, Message message) {
            inboxes.get(to).contribute(number, from, topic, message);
        }

        @Override
        public void withdraw(int to, long number) {
            inboxes.get(to).withdraw(number, from);
        }

        @Override
        public void send(int to, Topic topic, byte[] message) {
            inboxes.get(to).send(from, topic, message);
        }

        @Override
        public void tell(int to, Stand stand, long question, long answer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void askLaunches(int to, long question, long sequence) {
            if (to != STOPPED) {
                inboxes.get(from)
                        .launchCounts()
                        .answered(question, to, inboxes.get(to).launchCounts().own(sequence));
            }
        }
    }

    private ControlPlane plane(int rank, Duration timeout) {
        return new InboxControlPlane(rank, Nodes.one(3), timeout, abort, inboxes.get(rank), new Deliver(rank));
    }

    private List<Integer> missing(ControlPlane plane, int calls) {
        return assertThrows(
                        OperationTimeoutException.class,
                        () -> IntStream.range(0, calls).forEach(call -> plane.barrier(Topic.named("step " + call))))
                .missingRanks();
    }

    @Test
    void aSurvivorThatWaitsInAnEarlierCallIsNotBlamed() throws Exception {
        new Deliver(STOPPED).contribute(0, 0, Topic.named("step 0"), new Message(new byte[0]));
        ControlPlane first = plane(0, SHORT);
        ControlPlane second = plane(1, LONG);
        Thread waiting =
                Thread.ofPlatform().start(() -> assertThrows(RuntimeException.class, () -> missing(second, 1)));
        assertEquals(List.of(STOPPED), missing(first, 2));
        abort.set("it is over");
        waiting.join();
    }

    @Test
    void aSurvivorThatHasJustGivenUpIsNotBlamed() throws Exception {
        new Deliver(STOPPED).contribute(0, 0, Topic.named("step 0"), new Message(new byte[0]));
        CompletableFuture<List<Integer>> named = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform().start(() -> named.complete(missing(plane(0, LONG.dividedBy(10)), 2)));
        assertEquals(List.of(STOPPED), missing(plane(1, SHORT), 1));
        waiting.join();
        assertEquals(List.of(STOPPED), named.join());
    }
}
