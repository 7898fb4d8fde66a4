package org.mscclj.backend.host.kernel;

import java.lang.foreign.Arena;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A scalar kernel that its vector twin replaces once that is faster.
 *
 * <p>Until the compiler has turned it into instructions, a vector is an object on the heap, and an operation on it
 * takes a microsecond: the first calls of a vector kernel would be a thousand times slower than the later ones, for a
 * second. So callers start with the scalar kernel. When it has done enough to matter, a background thread exercises the
 * vector kernel, and promotes it when it wins; on a machine where it never does, the scalar kernel stays. As both give
 * the same bits, nobody notices.
 *
 * @param <K> what the twins implement
 */
final class Tier<K> {
    /** Runs a kernel once over some of the memory at an address. */
    @FunctionalInterface
    interface Trial<K> {
        /** Uses at most {@link #MEMORY_BYTES} bytes at {@code memory}, which are zero at first. */
        void run(K kernel, long memory);
    }

    /** Bytes of zeroed memory that a trial may use. */
    static final long MEMORY_BYTES = 64 << 10;

    /** So much is done before vectors are worth a second of a background thread. */
    private static final long WORTH_IT_BYTES = 1 << 20;

    /** In runs of fewer bytes vectors win nothing. */
    private static final long LEAST_RUN_BYTES = 256;

    private static final int RUNS_A_ROUND = 20;
    private static final int WINS_IN_A_ROW = 5;
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** One thread, so that the compiler gets one kernel after the other; it ends when there is nothing to do. */
    private static final ThreadPoolExecutor BACKGROUND = new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("mscclj-kernel-warm-up").factory());

    static {
        BACKGROUND.allowCoreThreadTimeOut(true);
    }

    private final K scalar;
    private final K vector;
    private final Trial<K> trial;
    private final long giveUpNanos;
    private final AtomicBoolean tried = new AtomicBoolean();
    private volatile K current;
    private long done;

    Tier(K scalar, K vector, Trial<K> trial) {
        this(scalar, vector, trial, GIVE_UP_NANOS);
    }

    /** With the time, in nanoseconds, after which the scalar kernel has won. */
    Tier(K scalar, K vector, Trial<K> trial, long giveUpNanos) {
        this.giveUpNanos = giveUpNanos;
        this.scalar = scalar;
        this.vector = vector;
        this.trial = trial;
        current = scalar;
    }

    /** The kernel to use now, for so many bytes. */
    @SuppressWarnings("ReferenceEquality") // kernels have no other equality
    K kernel(long bytes) {
        K kernel = current;
        if (kernel != vector && bytes >= LEAST_RUN_BYTES) {
            count(bytes);
        }
        return kernel;
    }

    private void count(long bytes) {
        done += bytes; // Not atomic: it need not be exact.
        if (done >= WORTH_IT_BYTES && tried.compareAndSet(false, true)) {
            BACKGROUND.execute(this::promoteWhenFaster);
        }
    }

    private void promoteWhenFaster() {
        try (Arena arena = Arena.ofConfined()) {
            long memory = arena.allocate(MEMORY_BYTES, Long.BYTES).address();
            long giveUp = System.nanoTime() + giveUpNanos;
            for (int wins = 0; wins < WINS_IN_A_ROW; ) {
                long vectorNanos = round(vector, memory);
                long scalarNanos = round(scalar, memory);
                wins = vectorNanos < scalarNanos ? wins + 1 : 0;
                if (System.nanoTime() - giveUp > 0) {
                    return;
                }
            }
        }
        current = vector;
    }

    private long round(K kernel, long memory) {
        long start = System.nanoTime();
        for (int i = 0; i < RUNS_A_ROUND; i++) {
            trial.run(kernel, memory);
        }
        return System.nanoTime() - start;
    }

    /** Blocks until the promotions that are under way are decided. */
    static void await() {
        CompletableFuture.runAsync(() -> {}, BACKGROUND).join();
    }
}
