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
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.BackendException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.driver.DriverErrors;

/**
 * Moments at which no kernel of this process that may wait for others is on a GPU.
 *
 * <p>The driver does a few things only when all kernels of a context have ended, and lets nobody launch there until it
 * has: it loads code, and it frees pinned memory (measured, as decision 0017 says). If ranks share the GPU, a kernel of
 * one may be waiting for the launch of another, which is kept out: then nothing ever ends. So these things wait here
 * for such a moment, while everybody may launch, and only at it are launches kept out.
 *
 * <p>A moment is found by holding the locks of all who launch, each of which is only tried, and asking whether what
 * they have launched has ended. As long as that is not so the locks are given back in between. Where there is always
 * something in flight, none would come by itself: then the locks are held for longer and longer, so that what is in
 * flight can end. Not for long: it may wait for a launch that is kept out.
 *
 * <p>Kernels of other software, and replays of our launches by it, are not seen; they are expected to end by
 * themselves. Safe for use by several threads.
 */
public final class DeviceQuiescence {
    private static final System.Logger LOGGER = System.getLogger(DeviceQuiescence.class.getName());

    /** Then the driver is called all the same: it waits as well, and nobody knows what for. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** For so long a moment is looked for without keeping anybody from launching. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * For so long a moment is looked for by who does not wait for kernels, but for locks that others have for the
     * length of a launch.
     */
    private static final long A_LAUNCH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** If so much waits, who has more looks for a moment for longer, so that what waits does not grow for ever. */
    private static final int MANY_WAITING = 64;

    private static final long FOR_MANY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final Map<Gpu, DeviceQuiescence> OF_GPU = new HashMap<>();

    /** Somebody who launches kernels that may wait. */
    public interface Launcher {
        /** Held from before a launch until {@link #isQuiet} knows of it. */
        Lock lock();

        /** Whether everything launched has ended, as far as that can be known. With the lock. */
        boolean isQuiet();
    }

    private final int gpu;
    private final DriverErrors errors;

    /** Of who looks for a moment, or has one; nobody begins to launch meanwhile who has not before. */
    private final ReentrantLock turn = new ReentrantLock();

    /** With the turn. */
    private final List<Launcher> launchers = new ArrayList<>();

    /**
     * Before that nobody is kept out for longer than it takes to ask: those who look for a moment by turns would keep
     * launches out nearly always. With the turn.
     */
    private long mayHoldFrom = System.nanoTime();

    /** What is to be done at the next moment. */
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    private DeviceQuiescence(Gpu gpu) {
        this.gpu = gpu.ordinal();
        this.errors = gpu.driver().errors();
    }

    /** Those of a GPU, for all backends of this process. */
    public static DeviceQuiescence of(DeviceContext context) {
        return of(context.gpu());
    }

    static DeviceQuiescence of(Gpu gpu) {
        synchronized (OF_GPU) {
            return OF_GPU.computeIfAbsent(gpu, DeviceQuiescence::new);
        }
    }

    /** Somebody will launch from now on. */
    public void add(Launcher launcher) {
        turn.lock();
        try {
            launchers.add(launcher);
        } finally {
            turn.unlock();
        }
    }

    /** Undoes {@link #add}: everything launched has ended, or will without waiting for anybody. */
    @SuppressWarnings("ReferenceEquality") // this one
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
     * Does something that the driver does only when all kernels have ended, as soon as they have. With the GPU's
     * context current.
     */
    public <T> T await(Supplier<T> work) {
        return await(() -> {}, work);
    }

    /**
     * The same.
     *
     * @param going throws what ends the wait early, when nothing has been done; asked again and again. Must not block
     */
    public <T> T await(Runnable going, Supplier<T> work) {
        return await(LONGEST, going, work);
    }

    /**
     * The same, which waits for a moment for so long at most: if the work may be what a kernel waits for, and seldom
     * keeps anybody out.
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
     * The same now, or else at the next moment that anybody finds: the caller does not wait for the end of a kernel.
     * The work sets the GPU's context itself. If it fails later, that is logged.
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
        find(0).ifPresent(Moment::close); // the last kernel may have ended before this was here to be found
    }

    private int countWaiting() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    /** Does what waits, unless a kernel is on the GPU. */
    private void settle() {
        if (countWaiting() > 0) {
            seek(A_LAUNCH_NANOS, () -> {}).ifPresent(Moment::close);
        }
    }

    /**
     * A moment, unless there is none for so long. Once patience is over, launches are kept out, for half of the time at
     * most. An interrupt is for who knows what it means, later: with it the pauses would be none.
     */
    private Optional<Moment> seek(long longestNanos, Runnable going) {
        long start = System.nanoTime();
        long pause = SHORTEST_NANOS;
        long hold = 0;
        boolean interrupted = Thread.interrupted();
        try {
            Optional<Moment> found = find(0);
            while (found.isEmpty() && System.nanoTime() - start < longestNanos) {
                going.run();
                LockSupport.parkNanos(this, Math.max(pause, hold));
                interrupted |= Thread.interrupted();
                if (System.nanoTime() - start < PATIENCE_NANOS) {
                    pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
                } else {
                    hold = Math.min(Math.max(SHORTEST_NANOS, 2 * hold), LONGEST_HOLD_NANOS);
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

    /** A moment, if it is one, or becomes one while nobody launches for so long. */
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

    /** Nobody launches as long as it is open. With the turn. */
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
         * Who cannot be asked for good has failed, as he is told when he launches or is watched; whoever looks for a
         * moment is not to blame.
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

        /** With what has waited for a moment. */
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
                } catch (RuntimeException e) { // of somebody else, who has gone on
                    LOGGER.log(System.Logger.Level.WARNING, "what was given back on GPU " + gpu + " was not freed", e);
                }
            }
        }
    }
}
