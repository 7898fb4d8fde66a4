package org.mscclj.runtime.communicator;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.spi.engine.AbortFlag;

/**
 * The current call of {@code shrink} or {@code reconfigure} of a rank. Its communicator may have been aborted before,
 * so the call does not check that communicator's abort word. The call ends when this rank aborts the communicator
 * during the call. One thread at a time makes calls; any thread may abort.
 */
final class RecoveryCall {
    private @Nullable Thread caller;
    private @Nullable AbortFlag forming;
    private @Nullable String reason;

    /**
     * Makes a call.
     *
     * @param what the call, for messages
     * @throws AbortedException if {@link #abort} runs meanwhile
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

    /** Returns whether {@link #abort} has ended the current call. */
    boolean isAborted() {
        return reason() != null;
    }

    private synchronized @Nullable String reason() {
        return reason;
    }

    /** Ends the call. If {@link #abort} has interrupted the caller, the interrupt is cleared. */
    private synchronized void over() {
        caller = null;
        forming = null;
        if (reason != null) {
            boolean _ = Thread.interrupted();
        }
    }

    /**
     * Sets the abort word of the communicator that the call sets up. From now on an abort ends that communicator on all
     * of its ranks.
     */
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

    /** Ends the current call, if there is one. */
    void abort(String why) {
        AbortFlag successor;
        synchronized (this) {
            if (caller == null || reason != null) {
                return;
            }
            reason = why;
            caller.interrupt(); // only an interrupt ends the waits of a meeting on this rank alone
            successor = forming;
        }
        if (successor != null) {
            successor.set(why);
        }
    }
}
