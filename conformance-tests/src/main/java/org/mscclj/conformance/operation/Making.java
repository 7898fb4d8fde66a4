package org.mscclj.conformance.operation;

import org.mscclj.api.Work;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

/** An operation that is ready to run. Used by one thread. */
interface Making extends AutoCloseable {
    /** Runs the operation once, and waits for it. */
    void run();

    /** Frees what was prepared. */
    @Override
    void close();

    /**
     * Waits once more for a launch that exceeded its timeout, so that its buffers can be closed. The timeout was
     * reported then.
     */
    static void joinToItsEnd(Work late) {
        try {
            late.join();
        } catch (AbortedException | OperationTimeoutException | RankLostException _) {
            // this was reported
        }
    }
}
