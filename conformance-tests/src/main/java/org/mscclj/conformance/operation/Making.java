package org.mscclj.conformance.operation;

import org.mscclj.api.Work;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

/** How an operation is made. Used by one thread. */
interface Making extends AutoCloseable {
    /** Makes it once, and waits for it. */
    void run();

    /** Frees what was prepared. */
    @Override
    void close();

    /** Waits once more for what was late before, so that its buffers can be closed. How it ended was told then. */
    static void joinToItsEnd(Work late) {
        try {
            late.join();
        } catch (AbortedException | OperationTimeoutException | RankLostException _) {
            // as was told
        }
    }
}
