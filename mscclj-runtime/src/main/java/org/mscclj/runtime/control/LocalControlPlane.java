package org.mscclj.runtime.control;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.spi.engine.AbortFlag;

/** Ranks that are threads of this process: a monitor that they all share. */
public final class LocalControlPlane {
    private final int size;
    private final Nodes nodes;
    private final Duration timeout;
    private final AbortFlag abort;
    private final Map<Route, Queue<byte[]>> mailboxes = new HashMap<>();
    private Round round;

    /** What is gathered now, and by whom. */
    private static final class Round {
        final byte[][] contributions;
        final @Nullable String[] calls;
        int arrived;
        boolean complete;

        Round(int size) {
            contributions = new byte[size][0];
            calls = new String[size];
        }
    }

    private record Route(int from, int to, String what) {}

    /** A plane of as many ranks as the nodes have. */
    public LocalControlPlane(Nodes nodes, Duration timeout, AbortFlag abort) {
        this.size = nodes.ofRanks().size();
        this.nodes = nodes;
        this.timeout = timeout;
        this.abort = abort;
        this.round = new Round(size);
        abort.whenSet(this::wake);
    }

    /** A rank's view. */
    public ControlPlane ofRank(int rank) {
        return new RankView(rank);
    }

    /** Wakes everybody who waits, to see that the communicator was aborted. */
    private synchronized void wake() {
        notifyAll();
    }

    private synchronized byte[][] allGather(int rank, String what, byte[] own) {
        Round current = round;
        current.contributions[rank] = own.clone();
        current.calls[rank] = what;
        if (++current.arrived == size) {
            current.complete = true;
            round = new Round(size);
            notifyAll();
        }
        try {
            await(() -> current.complete, () -> timedOut(current, rank, what));
        } finally {
            if (!current.complete) { // so that this rank may call again
                current.calls[rank] = null;
                current.arrived--;
            }
        }
        requireEqualCalls(current);
        byte[][] gathered = new byte[size][];
        Arrays.setAll(gathered, i -> current.contributions[i].clone());
        return gathered;
    }

    private OperationTimeoutException timedOut(Round current, int rank, String what) {
        List<Integer> missing = IntStream.range(0, size)
                .filter(other -> current.calls[other] == null)
                .boxed()
                .toList();
        return new OperationTimeoutException(
                what + ": rank " + rank + " waited " + timeout + " for ranks " + missing
                        + ", which did not arrive; find out what they do, or raise the timeout",
                missing);
    }

    private static void requireEqualCalls(Round current) {
        Map<String, List<Integer>> ranksByCall = new TreeMap<>();
        for (int rank = 0; rank < current.calls.length; rank++) {
            String call = Optional.ofNullable(current.calls[rank]).orElse("");
            ranksByCall.computeIfAbsent(call, c -> new ArrayList<>()).add(rank);
        }
        if (ranksByCall.size() > 1) {
            List<String> calls = new ArrayList<>();
            ranksByCall.forEach((call, ranks) -> calls.add("ranks " + ranks + ": " + call));
            throw new InvalidArgumentException("ranks make different collective calls; " + String.join("; ", calls)
                    + "; all ranks must make the same calls in the same order");
        }
    }

    private synchronized void send(int from, int to, String what, byte[] message) {
        throwIfAborted();
        mailboxes
                .computeIfAbsent(new Route(from, to, what), route -> new ArrayDeque<>())
                .add(message.clone());
        notifyAll();
    }

    private synchronized byte[] receive(int from, int to, String what) {
        Queue<byte[]> mailbox = mailboxes.computeIfAbsent(new Route(from, to, what), route -> new ArrayDeque<>());
        await(
                () -> !mailbox.isEmpty(),
                () -> new OperationTimeoutException(
                        what + ": rank " + to + " waited " + timeout + " for rank " + from
                                + ", which did not send; find out what it does, or raise the timeout",
                        List.of(from)));
        return mailbox.remove();
    }

    /** Waits under the monitor. */
    private void await(BooleanSupplier condition, Supplier<OperationTimeoutException> onTimeout) {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        while (!condition.getAsBoolean()) {
            throwIfAborted();
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw onTimeout.get();
            }
            try {
                wait(Math.max(1, left / 1_000_000));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AbortedException("interrupted while waiting for other ranks", e);
            }
        }
    }

    private void throwIfAborted() {
        if (abort.isSet()) {
            throw new AbortedException(
                    "the communicator was aborted: " + abort.reason().orElse("no reason given"));
        }
    }

    private final class RankView implements ControlPlane {
        private final int rank;

        RankView(int rank) {
            this.rank = rank;
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public Nodes nodes() {
            return nodes;
        }

        @Override
        public byte[][] allGather(String what, byte[] own) {
            return LocalControlPlane.this.allGather(rank, what, own);
        }

        @Override
        public void send(int peer, String what, byte[] message) {
            LocalControlPlane.this.send(rank, peer, what, message);
        }

        @Override
        public byte[] receive(int peer, String what) {
            return LocalControlPlane.this.receive(peer, rank, what);
        }
    }
}
