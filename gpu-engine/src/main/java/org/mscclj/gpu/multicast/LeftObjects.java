package org.mscclj.gpu.multicast;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.mscclj.spi.waiting.Backoff;

/**
 * Objects that this process has left, and whose memory kernels of other processes may still access. A thread releases
 * each when the last process has left it, or has ended. The thread ends with the last object.
 */
final class LeftObjects {
    private static final System.Logger LOGGER = System.getLogger(LeftObjects.class.getName());
    private static final long PAUSE_NANOS = 50_000_000;
    private static final List<Left> ALL = new ArrayList<>();
    private static boolean waits;

    private record Left(TeamLife life, Runnable release) {
        void end() {
            life.close();
            try {
                release.run();
            } catch (RuntimeException e) { // others must be released too
                LOGGER.log(Level.WARNING, "a multicast object could not be released", e);
            }
        }
    }

    private LeftObjects() {}

    /**
     * Releases an object, now or later.
     *
     * @param life of the object, which this process has left
     */
    static void release(TeamLife life, Runnable release) {
        Left left = new Left(life, release);
        if (life.hasEnded()) {
            life.close();
            release.run();
            return;
        }
        synchronized (ALL) {
            ALL.add(left);
            if (!waits) {
                waits = true;
                Thread.ofPlatform().daemon().name("mscclj-gpu-multicast").start(LeftObjects::await);
            }
        }
    }

    private static void await() {
        try {
            while (true) {
                Backoff.nap(PAUSE_NANOS);
                ended().forEach(Left::end);
                synchronized (ALL) {
                    if (ALL.isEmpty()) {
                        waits = false;
                        return;
                    }
                }
            }
        } catch (Throwable e) { // the next object starts another thread
            synchronized (ALL) {
                waits = false;
            }
            throw e;
        }
    }

    private static List<Left> ended() {
        List<Left> ended = new ArrayList<>();
        synchronized (ALL) {
            for (Iterator<Left> all = ALL.iterator(); all.hasNext(); ) {
                Left left = all.next();
                if (left.life().hasEnded()) {
                    all.remove();
                    ended.add(left);
                }
            }
        }
        return ended;
    }
}
