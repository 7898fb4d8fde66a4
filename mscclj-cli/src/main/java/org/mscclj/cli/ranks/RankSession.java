package org.mscclj.cli.ranks;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.mscclj.api.Communicator;

/**
 * What one rank's part works with. It consists of phases, which begin on all ranks together, so that no operation
 * waits, against its timeout, for a rank that does something slow and legitimate. Used by the rank's thread.
 */
public final class RankSession {
    /** What filling or checking memory may take. */
    private static final Duration WORK_LIMIT = Duration.ofMinutes(10);

    private static final byte[] NOTHING = {};

    private final Communicator communicator;
    private final Exchange exchange;
    private final RankSettings settings;
    private final PhaseLimit limit;
    private final Consumer<Throwable> onFailure;
    private boolean failed;

    RankSession(
            Communicator communicator,
            Exchange exchange,
            RankSettings settings,
            PhaseLimit limit,
            Consumer<Throwable> onFailure) {
        this.communicator = communicator;
        this.exchange = exchange;
        this.settings = settings;
        this.limit = limit;
        this.onFailure = onFailure;
    }

    /** This rank's communicator. */
    public Communicator communicator() {
        return communicator;
    }

    /** This rank. */
    public int rank() {
        return communicator.rank();
    }

    /** Number of ranks. */
    public int ranks() {
        return communicator.size();
    }

    /** What a launch may take. */
    public Duration timeout() {
        return settings.timeout();
    }

    /** Called before each launch that is checked. */
    public LaunchDelay delay() {
        return settings.delay();
    }

    /**
     * Waits for all ranks, and begins a phase of operations that keep a timeout each.
     *
     * @param operations how many there are at most
     */
    public void beginOperations(String what, long operations) {
        begin(what, settings.timeout().multipliedBy(operations).plus(Supervisor.GRACE));
    }

    /** Waits for all ranks, and begins a phase in which each works for itself. */
    public void beginWork(String what) {
        begin(what, WORK_LIMIT);
    }

    /**
     * Begins to free something that may wait for operations in flight. After a failure these were aborted, and nobody
     * is waited for.
     */
    public void beginClose() {
        if (!failed) {
            beginOperations("free", 1);
        }
    }

    private void begin(String what, Duration most) {
        allGather(NOTHING);
        limit.begin(what, most);
    }

    /** A message of every rank, by rank. */
    public List<byte[]> allGather(byte[] own) {
        try {
            return exchange.allGather(own);
        } catch (RuntimeException | Error e) {
            failed = true; // whoever failed has told the others
            throw e;
        }
    }

    /** Numbers of every rank, by rank. */
    public List<long[]> allGather(long... own) {
        ByteBuffer message = ByteBuffer.allocate(own.length * Long.BYTES);
        message.asLongBuffer().put(own);
        return allGather(message.array()).stream()
                .map(bytes -> {
                    long[] numbers = new long[bytes.length / Long.BYTES];
                    ByteBuffer.wrap(bytes).asLongBuffer().get(numbers);
                    return numbers;
                })
                .toList();
    }

    /** For each position, the greatest number of all ranks. */
    public long[] max(long... own) {
        long[] max = own.clone();
        allGather(own).forEach(numbers -> Arrays.setAll(max, i -> Math.max(max[i], numbers[i])));
        return max;
    }

    /**
     * Whether this rank, or another one that it has waited for, cannot go on: what waits for others must be ended, not
     * waited for.
     */
    public boolean hasFailed() {
        return failed;
    }

    /** Tells that this rank cannot go on, before anything is freed: operations in flight end on all ranks. */
    public void failed(Throwable failure) {
        failed = true;
        onFailure.accept(failure);
    }
}
