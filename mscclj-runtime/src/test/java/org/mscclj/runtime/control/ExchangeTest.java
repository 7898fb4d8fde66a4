package org.mscclj.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.agreement.Stand;
import org.mscclj.spi.engine.AbortFlag;

class ExchangeTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void whateverARankThrowsTheOthersHearOfIt() {
        LocalControlPlane plane = new LocalControlPlane(Nodes.one(2), LIMIT, new AbortFlag());
        CompletableFuture<Void> failing = CompletableFuture.runAsync(() -> assertThrows(
                IllegalStateException.class,
                () -> Exchange.gather(plane.ofRank(0), Topic.named("something"), () -> {
                    throw new IllegalStateException("no memory");
                })));
        BackendException e = assertThrows(
                BackendException.class,
                () -> Exchange.gather(plane.ofRank(1), Topic.named("something"), () -> new byte[0]));
        assertTrue(String.valueOf(e.getMessage()).contains("no memory"), e::getMessage);
        failing.join();
    }

    static List<RuntimeException> failures() {
        return List.of(
                new InvalidArgumentException("too many"),
                new UnsupportedException("no such thing"),
                new BackendException("no memory", 2, "CUDA_ERROR_OUT_OF_MEMORY"),
                new BackendException("no folder", new IOException("full")),
                new OperationTimeoutException("late", List.of(0, 2)),
                new AbortedException("interrupted"),
                new RankLostException(2, "it has ended"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theOthersGetTheSameKindOfFailure(RuntimeException failure) {
        LocalControlPlane plane = new LocalControlPlane(Nodes.one(2), LIMIT, new AbortFlag());
        CompletableFuture<RuntimeException> failing = CompletableFuture.supplyAsync(() -> assertThrows(
                failure.getClass(),
                () -> Exchange.gather(plane.ofRank(0), Topic.named("something"), () -> {
                    throw failure;
                })));
        RuntimeException told = assertThrows(
                failure.getClass(),
                () -> Exchange.gather(plane.ofRank(1), Topic.named("something"), () -> new byte[0]));
        assertSame(failure, failing.join());
        String how = failure instanceof InvalidArgumentException ? "refused" : "failed";
        assertEquals("rank 0 " + how + ": " + failure.getMessage(), told.getMessage());
        switch (told) {
            case BackendException e -> {
                assertEquals(((BackendException) failure).code(), e.code());
                assertEquals(((BackendException) failure).symbol(), e.symbol());
            }
            case OperationTimeoutException e -> assertEquals(List.of(0, 2), e.missingRanks());
            case RankLostException e -> assertEquals(2, e.rank());
            default -> {}
        }
    }

    @Test
    void aVeryLongMessageIsCut() {
        byte[] told = RemoteFailure.encode(new UnsupportedException("é".repeat(100_000)));
        String text = String.valueOf(RemoteFailure.decode(told, 1, 0).getMessage());
        assertTrue(text.startsWith("rank 1 failed: éé") && text.endsWith("é…"), text);
    }

    @Test
    void whatARankThrowsIsNotForgottenWhenTheOthersDoNotCome() {
        LocalControlPlane plane = new LocalControlPlane(Nodes.one(2), Duration.ofMillis(50), new AbortFlag());
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class,
                () -> Exchange.gather(plane.ofRank(0), Topic.named("something"), () -> {
                    throw new IllegalStateException("no memory");
                }));
        assertEquals("no memory", e.getSuppressed()[0].getMessage());
    }

    /** A rank that is stopped answers no connection, and does not come to the exchange. */
    @Test
    void aWaitInVainOfItsOwnAndOneForTheOthersAreOneTimeout() {
        LocalControlPlane plane = new LocalControlPlane(Nodes.one(4), Duration.ofMillis(50), new AbortFlag());
        OperationTimeoutException e = assertThrows(
                OperationTimeoutException.class,
                () -> Exchange.gather(plane.ofRank(1), Topic.named("connections"), () -> {
                    throw new OperationTimeoutException("rank 3 has not connected", List.of(3));
                }));
        assertEquals(List.of(0, 2, 3), e.missingRanks());
        assertEquals(0, e.getSuppressed().length);
        assertTrue(String.valueOf(e.getMessage()).startsWith("connections: rank 1 waited 50 ms"), e::getMessage);
        assertTrue(String.valueOf(e.getMessage()).endsWith("; before that, rank 3 has not connected"), e::getMessage);
    }

    /**
     * A process that ends after its contribution takes its memory along: another's mapping of it fails before word of
     * the end arrives.
     */
    @Test
    void aFailureThatALostRankCausedIsToldAsTheLoss() {
        List<ControlInbox> inboxes = Stream.generate(ControlInbox::new).limit(3).toList();
        AbortFlag first = new AbortFlag();
        CountDownLatch contributed = new CountDownLatch(1);
        ControlPlane failing = plane(0, inboxes, first, () -> first.lose(2, "its process has ended"), () -> {});
        ControlPlane other = plane(1, inboxes, new AbortFlag(), () -> {}, contributed::countDown);
        inboxes.forEach(inbox -> inbox.contribute(0, 2, Topic.named("mapped memory"), new Message(new byte[1])));
        CompletableFuture<RankLostException> told = CompletableFuture.supplyAsync(() -> assertThrows(
                RankLostException.class,
                () -> Exchange.gather(other, Topic.named("mapped memory"), () -> new byte[0])));
        RankLostException seen = assertThrows(
                RankLostException.class,
                () -> Exchange.gather(failing, Topic.named("mapped memory"), () -> {
                    await(contributed); // or the other would hear of it from the abort word alone
                    throw new BackendException("cannot be opened", 2, "ENOENT");
                }));
        assertEquals(2, seen.rank());
        assertEquals(2, told.join().rank());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A plane over inboxes whose rank 2 answers no question. */
    private static ControlPlane plane(
            int rank, List<ControlInbox> inboxes, AbortFlag abort, Runnable whenAsked, Runnable whenContributed) {
        Delivery delivery = new Delivery() {
            @Override
            public void contribute(int to, long number, Topic topic, Message message) {
                inboxes.get(to).contribute(number, rank, topic, message);
                if (to == 0) {
                    whenContributed.run();
                }
            }

            @Override
            public void withdraw(int to, long number) {
                inboxes.get(to).withdraw(number, rank);
            }

            @Override
            public void send(int to, Topic topic, byte[] message) {
                inboxes.get(to).send(rank, topic, message);
            }

            @Override
            public void tell(int to, Stand stand, long question, long answer) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void askLaunches(int to, long question, long sequence) {
                if (to == 2) {
                    whenAsked.run();
                } else {
                    inboxes.get(rank).launchCounts().answered(question, to, LaunchReport.of(0));
                }
            }
        };
        return new InboxControlPlane(rank, Nodes.one(3), LIMIT, abort, inboxes.get(rank), delivery);
    }
}
