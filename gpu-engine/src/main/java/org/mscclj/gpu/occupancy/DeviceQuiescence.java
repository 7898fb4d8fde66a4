package org.mscclj.gpu.occupancy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.DriverErrors;
import org.mscclj.spi.waiting.Backoff;

/**
 * Finds moments at which no kernel of this process that may wait for other kernels is on a GPU.
 *
 * <p>The driver does a few things only when all kernels of a context have ended, and blocks launches there until it has
 * done them: it loads code, and it frees pinned memory (measured; see decision 0017). If ranks share the GPU, a kernel
 * of one rank may be waiting for the launch of another rank, which is blocked: a deadlock. So this work waits here for
 * a quiet moment while launches continue, and launches are blocked only at that moment.
 *
 * <p>To find a moment, a thread tries the locks of all launchers and, holding them, checks whether everything launched
 * has ended. If not, it releases the locks before the next attempt. Where there is always work in flight, no moment
 * would come by itself. Then the locks are held for longer and longer, so that the work in flight can end. Each hold is
 * short, because the work in flight may wait for a launch that is blocked.
 *
 * <p>Kernels of other software, and replays of captured launches by it, are not visible here. They are expected to end
 * by themselves. Safe for use by several threads.
 */
public final class DeviceQuiescence {
    private static final System.Logger LOGGER = System.getLogger(DeviceQuiescence.class.getName());

    /**
     * The limit after which the driver is called anyway: the driver waits as well, for reasons that are not known here.
     */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** How long a moment is sought without blocking launches. */
    private static final long UNBLOCKED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long MIN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MAX_HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * How long a moment is sought by a caller that does not wait for kernels, but only for locks that other threads
     * hold for the length of a launch.
     */
    private static final long A_LAUNCH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * If at least this many tasks wait, a new task searches for a moment for longer, so that the queue of tasks does
     * not grow for ever.
     */
    private static final int MANY_WAITING = 64;

    private static final long FOR_MANY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final Map<Gpu, DeviceQuiescence> OF_GPU = new HashMap<>();

    /** A source of kernels that may wait. */
    public interface Launcher {
        /** The lock that is held from before a launch until {@link #isQuiet} takes the launch into account. */
        Lock lock();

        /** Whether everything launched has ended, as far as that can be known. Called with the lock. */
        boolean isQuiet();
    }

    private final int gpu;
    private final DriverErrors errors;

    /** Held by the thread that searches for a moment, or has one. No launcher is added or removed meanwhile. */
    private final ReentrantLock turn = new ReentrantLock();

    /** Guarded by the turn. */
    private final List<Launcher> launchers = new ArrayList<>();

    /**
     * The time before which launches are blocked only as long as the checks take: threads that search in turn would
     * otherwise block launches nearly always. Guarded by the turn.
     */
    private long mayHoldFrom = System.nanoTime();

    /** The work for the next moment. */
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    private DeviceQuiescence(Gpu gpu) {
        this.gpu = gpu.ordinal();
        this.errors = gpu.driver().errors();
    }

    /** The instance of a GPU, for all backends of this process. */
    public static DeviceQuiescence of(DeviceContext context) {
        return of(context.gpu());
    }

    static DeviceQuiescence of(Gpu gpu) {
        synchronized (OF_GPU) {
            return OF_GPU.computeIfAbsent(gpu, DeviceQuiescence::new);
        }
    }

    /** Adds a launcher before its first launch. */
    public void add(Launcher launcher) {
        turn.lock();
        try {
            launchers.add(launcher);
        } finally {
            turn.unlock();
        }
    }

    /** Undoes {@link #add}. Everything launched has ended, or will end without waiting for other kernels. */
    @SuppressWarnings("ReferenceEquality") // compares the objects
    public void remove(Launcher launcher) {
        turn.lock();
        try {
            launchers.removeIf(known -> known == launcher);
        } finally {
            turn.unlock();
        }
        settle();
    }

    /**
     * Does work that the driver does only when all kernels have ended, as soon as they have. The GPU's context must be
     * current.
     */
    public <T> T await(Supplier<T> work) {
        return await(() -> {}, work);
    }

    /**
     * Does work as {@link #await(Supplier)} does, with a condition to go on.
     *
     * @param going throws to end the wait early, when nothing has been done; called again and again. Must not block
     */
    public <T> T await(Runnable going, Supplier<T> work) {
        return await(LONGEST, going, work);
    }

    /**
     * Does work as {@link #await(Supplier)} does, but waits for a moment at most this long. For work that a kernel may
     * be waiting for, and that seldom blocks launches.
     */
    public <T> T await(Duration longest, Supplier<T> work) {
        return await(longest, () -> {}, work);
    }

    private <T> T await(Duration longest, Runnable going, Supplier<T> work) {
        Optional<Moment> found = seek(longest.toNanos(), going);
        if (found.isPresent()) {
            try (Moment _ = found.get()) {
                return work.get();
            }
        }
        if (longest.equals(LONGEST)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "kernels on GPU {0} have not ended for {1}; what the driver does next waits for them, and"
                            + " keeps launches out"
                            + " meanwhile: if they wait for such a launch, they end when it is found to be late",
                    gpu,
                    longest);
        }
        return work.get();
    }

    /**
     * Does work now, or else at the next moment that any thread finds. The caller does not wait for the end of a
     * kernel. The work sets the GPU's context itself. If it fails later, the failure is logged.
     */
    public void soon(Runnable work) {
        Optional<Moment> found = seek(countWaiting() < MANY_WAITING ? A_LAUNCH_NANOS : FOR_MANY_NANOS, () -> {});
        if (found.isPresent()) {
            try (Moment _ = found.get()) {
                work.run();
            }
            return;
        }
        synchronized (waiting) {
            waiting.add(work);
        }
        find(0).ifPresent(Moment::close); // the last kernel may have ended before the work was queued here
    }

    private int countWaiting() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    /** Runs the waiting tasks, unless a kernel is on the GPU. */
    private void settle() {
        if (countWaiting() > 0) {
            seek(A_LAUNCH_NANOS, () -> {}).ifPresent(Moment::close);
        }
    }

    /**
     * Searches for a moment; empty if there is none within the time. Once the search without blocking has timed out,
     * launches are blocked, for half of the time at most. An interrupt is cleared during the search and restored at the
     * end: with it set, the pauses would end at once.
     */
    private Optional<Moment> seek(long longestNanos, Runnable going) {
        long start = System.nanoTime();
        long pause = MIN_NANOS;
        long hold = 0;
        boolean interrupted = Thread.interrupted();
        try {
            Optional<Moment> found = find(0);
            while (found.isEmpty() && System.nanoTime() - start < longestNanos) {
                going.run();
                Backoff.nap(Math.max(pause, hold));
                interrupted |= Thread.interrupted();
                if (System.nanoTime() - start < UNBLOCKED_NANOS) {
                    pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
                } else {
                    hold = Math.min(Math.max(MIN_NANOS, 2 * hold), MAX_HOLD_NANOS);
                }
                found = find(hold);
            }
            return found;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns a moment if the GPU is quiet, or becomes quiet while launches are blocked for this time. */
    private Optional<Moment> find(long nanos) {
        turn.lock();
        Moment moment = new Moment();
        try {
            long start = System.nanoTime();
            if (moment.isOne(start - mayHoldFrom >= 0 ? nanos : 0)) {
                return Optional.of(moment);
            }
            long end = System.nanoTime();
            long held = end - start;
            if (end + held - mayHoldFrom > 0) {
                mayHoldFrom = end + held;
            }
        } catch (RuntimeException | Error e) {
            moment.giveBack();
            throw e;
        }
        moment.giveBack();
        return Optional.empty();
    }

    /** A moment. Launches are blocked while it is open. Guarded by the turn. */
    private final class Moment implements AutoCloseable {
        private final List<Lock> held = new ArrayList<>();

        boolean isOne(long nanos) {
            for (Launcher launcher : launchers) {
                if (!launcher.lock().tryLock()) {
                    return false;
                }
                held.add(launcher.lock());
            }
            long start = System.nanoTime();
            while (!launchers.stream().allMatch(this::isQuiet)) {
                if (System.nanoTime() - start >= nanos) {
                    return false;
                }
                Thread.onSpinWait();
            }
            return true;
        }

        /**
         * Whether a launcher is quiet. A launcher whose check fails has failed for good. Its own launches and the
         * watchdog report that failure; the thread that searches for a moment does not.
         */
        private boolean isQuiet(Launcher launcher) {
            try {
                return launcher.isQuiet();
            } catch (RuntimeException e) {
                if (e instanceof BackendException failure && errors.isAboutCaptures(failure.code())) {
                    return false;
                }
                LOGGER.log(System.Logger.Level.DEBUG, "what was launched on GPU " + gpu + " cannot be asked about", e);
                return true;
            }
        }

        void giveBack() {
            held.forEach(Lock::unlock);
            turn.unlock();
        }

        /** Runs the waiting tasks, and ends the moment. */
        @Override
        public void close() {
            try {
                doWhatWaits();
            } finally {
                giveBack();
            }
        }

        private @Nullable Runnable next() {
            synchronized (waiting) {
                return waiting.poll();
            }
        }

        private void doWhatWaits() {
            for (Runnable work = next(); work != null; work = next()) {
                try {
                    work.run();
                } catch (RuntimeException e) { // of another caller, which has continued
                    LOGGER.log(System.Logger.Level.WARNING, "what was given back on GPU " + gpu + " was not freed", e);
                }
            }
        }
    }
}
