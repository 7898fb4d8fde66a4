package org.mscclj.backend.cuda.residency;

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
import org.mscclj.backend.cuda.context.DeviceContext;

/**
 * Moments at which no kernel of this process that may wait for others is on a GPU.
 *
 * <p>The driver does a few things only when all kernels of a context have ended, and lets nobody launch there until it has: it loads code, and it frees pinned
 * memory (measured, as decision 0017 says). If ranks share the GPU, a kernel of one may be waiting for the launch of another, which is kept out: then
 * nothing ever ends. So these things wait here for such a moment, while everybody may launch, and only at it are launches kept out.
 *
 * <p>A moment is found by holding the locks of all who launch, each of which is only tried, and asking whether what they have launched has ended. As long as that is not
 * so the locks are given back in between. Where there is always something in flight, none would come by itself: then the locks are held for longer and longer,
 * so that what is in flight can end. Not for long: it may wait for a launch that is kept out.
 *
 * <p>Kernels of other software, and replays of our launches by it, are not seen; they are expected to end by themselves. Safe for use by several threads.
 */
public final class QuietMoments {
    private static final System.Logger LOGGER = System.getLogger(QuietMoments.class.getName());

    /** Then the driver is called all the same: it waits as well, and nobody knows what for. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** For so long a moment is looked for without keeping anybody from launching. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How often a lock is tried again that somebody has for the length of a launch, by who does not wait for a moment. */
    private static final int TRIES = 20;

    private static final Map<Integer, QuietMoments> OF_GPU = new HashMap<>();

    /** Somebody who launches kernels that may wait. */
    public interface Launcher {
        /** Held from before a launch until {@link #isIdle} knows of it. */
        Lock lock();

        /** Whether everything launched has ended, as far as that can be known. With the lock. */
        boolean isIdle();
    }

    private final int gpu;

    /** Of who looks for a moment, or has one; nobody begins to launch meanwhile who has not before. */
    private final ReentrantLock turn = new ReentrantLock();

    /** With the turn. */
    private final List<Launcher> launchers = new ArrayList<>();

    /** What is to be done at the next moment. */
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    private QuietMoments(int gpu) {
        this.gpu = gpu;
    }

    /** Those of a GPU, for all backends of this process. */
    public static QuietMoments of(DeviceContext context) {
        return of(context.ordinal());
    }

    static QuietMoments of(int gpu) {
        synchronized (OF_GPU) {
            return OF_GPU.computeIfAbsent(gpu, QuietMoments::new);
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

    /** Does something that the driver does only when all kernels have ended, as soon as they have. With the GPU's context current. */
    public <T> T await(Supplier<T> work) {
        return await(LONGEST, work);
    }

    /** The same, which waits for a moment for so long at most: if the work may be what a kernel waits for, and seldom keeps anybody out. */
    public <T> T await(Duration longest, Supplier<T> work) {
        long start = System.nanoTime();
        long pause = SHORTEST_NANOS;
        while (System.nanoTime() - start < longest.toNanos()) {
            boolean patient = System.nanoTime() - start < PATIENCE_NANOS;
            Optional<Moment> found = find(patient ? 0 : pause);
            if (found.isPresent()) {
                try (Moment _ = found.get()) {
                    return work.get();
                }
            }
            LockSupport.parkNanos(this, pause);
            pause = Math.min(2 * pause, LONGEST_NANOS);
        }
        if (longest.equals(LONGEST)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "kernels on GPU {0} have not ended for {1}; what the driver does next waits for them, and keeps launches out"
                            + " meanwhile: if they wait for such a launch, they end when it is found to be late",
                    gpu,
                    longest);
        }
        return work.get();
    }

    /**
     * The same now, or else at the next moment that anybody finds: the caller does not wait for the end of a kernel. The work sets the GPU's context itself. If it fails later,
     * that is logged.
     */
    public void soon(Runnable work) {
        Optional<Moment> found = findNow();
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

    /** Does what waits, unless a kernel is on the GPU. */
    private void settle() {
        if (isAnythingWaiting()) {
            findNow().ifPresent(Moment::close);
        }
    }

    /** A moment, if it is one; somebody may be launching, or looking for it too. */
    private Optional<Moment> findNow() {
        Optional<Moment> found = find(0);
        for (int i = 0; i < TRIES && found.isEmpty(); i++) {
            LockSupport.parkNanos(this, SHORTEST_NANOS);
            found = find(0);
        }
        return found;
    }

    private boolean isAnythingWaiting() {
        synchronized (waiting) {
            return !waiting.isEmpty();
        }
    }

    /** A moment, if it is one, or becomes one while nobody launches for so long. */
    private Optional<Moment> find(long nanos) {
        turn.lock();
        Moment moment = new Moment();
        try {
            if (moment.isOne(nanos)) {
                return Optional.of(moment);
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
            while (!launchers.stream().allMatch(Launcher::isIdle)) {
                if (System.nanoTime() - start >= nanos) {
                    return false;
                }
                Thread.onSpinWait();
            }
            return true;
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

        private void doWhatWaits() {
            List<Runnable> ready;
            synchronized (waiting) {
                ready = List.copyOf(waiting);
                waiting.clear();
            }
            for (Runnable work : ready) {
                try {
                    work.run();
                } catch (RuntimeException e) { // of somebody else, who has gone on
                    LOGGER.log(System.Logger.Level.WARNING, "what was given back on GPU " + gpu + " was not freed", e);
                }
            }
        }
    }
}
