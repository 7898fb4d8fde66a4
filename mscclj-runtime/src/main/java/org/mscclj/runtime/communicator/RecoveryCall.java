package org.mscclj.runtime.communicator;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The call of {@code shrink} or {@code reconfigure} that a rank is in. Such a call is made of a communicator that may
 * have been aborted before, so it does not ask that one's abort word: what ends it is an abort of this rank that comes
 * while the call is under way. Calls are made by one thread at a time; any thread may abort.
 */
final class RecoveryCall {
    private @Nullable Thread caller;
    private @Nullable AbortFlag forming;
    private @Nullable String reason;

    /**
     * Makes a call.
     *
     * @param what the call, for messages
     * @throws AbortedException if {@link #abort} comes meanwhile
     */
    <T> T run(String what, Supplier<T> call) {
        synchronized (this) {
            caller = Thread.currentThread();
            forming = null;
            reason = null;
        }
        try {
            return call.get();
        } catch (MsccljException e) {
            String why = reason();
            throw why == null ? e : new AbortedException(what + ": the communicator was aborted meanwhile: " + why, e);
        } finally {
            over();
        }
    }

    /** Whether {@link #abort} has ended the call that is under way. */
    boolean isAborted() {
        return reason() != null;
    }

    private synchronized @Nullable String reason() {
        return reason;
    }

    /** An interrupt that {@link #abort} has made is not left to the caller. */
    private synchronized void over() {
        caller = null;
        forming = null;
        if (reason != null) {
            boolean _ = Thread.interrupted();
        }
    }

    /** Says which communicator the call sets up: from now on an abort ends that one on all of its ranks. */
    void forms(AbortFlag successor) {
        String why;
        synchronized (this) {
            forming = caller == null ? null : successor;
            why = reason;
        }
        if (why != null) {
            successor.set(why);
        }
    }

    /** Ends the call that is under way, if there is one. */
    void abort(String why) {
        AbortFlag successor;
        synchronized (this) {
            if (caller == null || reason != null) {
                return;
            }
            reason = why;
            caller.interrupt(); // the waits of a meeting have no other end that concerns this rank alone
            successor = forming;
        }
        if (successor != null) {
            successor.set(why);
        }
    }
}
