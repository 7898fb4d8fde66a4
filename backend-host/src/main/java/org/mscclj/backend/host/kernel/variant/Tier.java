package org.mscclj.backend.host.kernel.variant;

import java.lang.foreign.Arena;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A scalar kernel that its vector twin replaces once the twin is faster.
 *
 * <p>Until the compiler has compiled it to instructions, a vector is an object on the heap, and an operation on it
 * takes a microsecond: for a second, the first calls of a vector kernel would be a thousand times slower than later
 * ones. So callers start with the scalar kernel. When it has processed enough bytes, a background thread exercises the
 * vector kernel, and promotes it when it is faster; on a machine where it never is, the scalar kernel stays. Both
 * produce equal bits, so the change is not observable.
 *
 * @param <K> the interface of the twins
 */
public final class Tier<K> {
    /** Runs a kernel once over some of the memory at an address. */
    @FunctionalInterface
    public interface Trial<K> {
        /** Uses at most {@link #MEMORY_BYTES} bytes at {@code memory}, which are zero at first. */
        void run(K kernel, long memory);
    }

    /** Bytes of zeroed memory that a trial may use. */
    static final long MEMORY_BYTES = 64 << 10;

    /**
     * The number of bytes that the scalar kernel processes before vectors are tried: some 0.2 s of its time. A trial
     * takes seconds of processor time in which the compiler works, more than a process that lives shortly needs for all
     * else.
     */
    static final long WORTH_IT_BYTES = 1 << 30;

    /** In runs of fewer bytes vectors are not faster. */
    private static final long MIN_RUN_BYTES = 256;

    private static final int RUNS_A_ROUND = 20;
    private static final int WINS_IN_A_ROW = 5;
    private static final long GIVE_UP_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** One thread, so that the compiler compiles one kernel after the other; the thread ends when it is idle. */
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

    public Tier(K scalar, K vector, Trial<K> trial) {
        this(scalar, vector, trial, GIVE_UP_NANOS);
    }

    /** A tier with the time, in nanoseconds, after which the scalar kernel stays. */
    Tier(K scalar, K vector, Trial<K> trial, long giveUpNanos) {
        this.giveUpNanos = giveUpNanos;
        this.scalar = scalar;
        this.vector = vector;
        this.trial = trial;
        current = scalar;
    }

    /** The kernel to use now for a call of this number of bytes. */
    @SuppressWarnings("ReferenceEquality") // kernels are compared by identity
    public K kernel(long bytes) {
        K kernel = current;
        if (kernel != vector && bytes >= MIN_RUN_BYTES) {
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

    /** Blocks until pending promotions are decided. */
    static void await() {
        CompletableFuture.runAsync(() -> {}, BACKGROUND).join();
    }
}
