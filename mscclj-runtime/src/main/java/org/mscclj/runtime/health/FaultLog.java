package org.mscclj.runtime.health;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.mscclj.api.Fault;
import org.mscclj.api.FaultKind;
import org.mscclj.api.Health;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Log of the faults by which communicators have ended, closed communicators included. A fault is logged before the
 * abort word is set, so that every thread that sees the word finds the fault. Safe for use by several threads.
 */
public final class FaultLog {
    /** The log of this process. */
    public static final FaultLog OF_PROCESS = new FaultLog(InstantSource.system());

    /**
     * Number of faults that are kept. The first faults show what happened; a job that goes on opening communicators
     * must not fill the memory.
     */
    static final int KEPT = 16;

    private final InstantSource clock;
    private final List<Fault> faults = new ArrayList<>();
    private long more;

    /** Creates an empty log. */
    FaultLog(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Logs the fault of an open communicator, if it has one.
     *
     * @param abort its abort word
     * @return a registration; once it is closed, setting the abort word is no fault any more
     */
    public AutoCloseable watch(String communicator, int rank, AbortFlag abort) {
        AtomicBoolean noted = new AtomicBoolean();
        Runnable note = () -> {
            if (!noted.getAndSet(true)) {
                kind(abort).ifPresent(kind -> add(communicator, rank, kind, reason(abort)));
            }
        };
        abort.beforeSet(note);
        if (abort.isSet()) { // perhaps set before this method watched it
            note.run();
        }
        return () -> abort.forget(note);
    }

    private static Optional<FaultKind> kind(AbortFlag abort) {
        return abort.cause().flatMap(cause -> switch (cause) {
            case REQUESTED -> Optional.empty();
            case RANK_LOST -> Optional.of(FaultKind.RANK_LOST);
            case LATE -> Optional.of(FaultKind.TIMEOUT);
            case FAILED -> Optional.of(FaultKind.FAILURE);
        });
    }

    private static String reason(AbortFlag abort) {
        String why = abort.reason().orElse("no reason given");
        return abort.lostRank().isPresent() ? "rank " + abort.lostRank().getAsInt() + " is lost: " + why : why;
    }

    private synchronized void add(String communicator, int rank, FaultKind kind, String reason) {
        if (faults.size() < KEPT) {
            faults.add(new Fault(clock.instant(), communicator, rank, kind, reason));
        } else {
            more++;
        }
    }

    /** Returns all faults until now. */
    public synchronized Health health() {
        return new Health(faults, more);
    }
}
