package org.mscclj.cli.ranks;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.mscclj.api.Communicator;

/**
 * The session of one rank: its communicator and its settings. It is divided into phases, which start on all ranks
 * together, so that no operation times out while it waits for a rank that is busy with other work. Used by the rank's
 * thread.
 */
public final class RankSession {
    /** Time limit of a phase that fills or checks memory. */
    private static final Duration WORK_LIMIT = Duration.ofMinutes(10);

    private static final byte[] NOTHING = {};

    private final Communicator communicator;
    private final RankExchange exchange;
    private final RankSettings settings;
    private final PhaseLimit limit;
    private final Consumer<Throwable> onFailure;
    private boolean failed;

    RankSession(
            Communicator communicator,
            RankExchange exchange,
            RankSettings settings,
            PhaseLimit limit,
            Consumer<Throwable> onFailure) {
        this.communicator = communicator;
        this.exchange = exchange;
        this.settings = settings;
        this.limit = limit;
        this.onFailure = onFailure;
    }

    /** Returns this rank's communicator. */
    public Communicator communicator() {
        return communicator;
    }

    /** Returns this rank. */
    public int rank() {
        return communicator.rank();
    }

    /** Returns the number of ranks. */
    public int ranks() {
        return communicator.size();
    }

    /** Returns the timeout of a launch. */
    public Duration timeout() {
        return settings.timeout();
    }

    /** Delays this rank before a checked launch. */
    public LaunchDelay delay() {
        return settings.delay();
    }

    /**
     * Waits for all ranks, and starts a phase of operations with a timeout each.
     *
     * @param operations the maximum number of operations
     */
    public void beginOperations(String what, long operations) {
        begin(what, settings.timeout().multipliedBy(operations).plus(Supervisor.GRACE));
    }

    /** Waits for all ranks, and starts a phase of local work. */
    public void beginWork(String what) {
        begin(what, WORK_LIMIT);
    }

    /**
     * Starts a phase that frees resources, which may wait for operations in flight. After a failure those were aborted,
     * and this does not wait for other ranks.
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

    /** Gathers a message of every rank, by rank. */
    public List<byte[]> allGather(byte[] own) {
        try {
            return exchange.allGather(own);
        } catch (RuntimeException | Error e) {
            failed = true; // the rank that failed has aborted the others
            throw e;
        }
    }

    /** Gathers numbers of every rank, by rank. */
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

    /** Returns the maximum over all ranks for each position. */
    public long[] max(long... own) {
        long[] max = own.clone();
        allGather(own).forEach(numbers -> Arrays.setAll(max, i -> Math.max(max[i], numbers[i])));
        return max;
    }

    /**
     * Whether this rank has failed, or another one for which it has waited: operations in flight must be aborted, since
     * they may never end.
     */
    public boolean hasFailed() {
        return failed;
    }

    /**
     * Aborts the communicator after a failure of this rank, before it frees anything: operations in flight end on all
     * ranks.
     */
    public void failed(Throwable failure) {
        failed = true;
        onFailure.accept(failure);
    }
}
