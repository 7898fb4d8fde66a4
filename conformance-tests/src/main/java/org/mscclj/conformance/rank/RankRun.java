package org.mscclj.conformance.rank;

import java.time.Duration;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.DaemonTask;

/** Tries a case on one rank, and turns every outcome into a verdict. */
public final class RankRun {
    private RankRun() {}

    /**
     * Tries a case. Never throws. A failure that leaves other ranks waiting aborts the communicator, so that they end,
     * too.
     *
     * @param timeout the timeout of an operation
     */
    public static RankVerdict run(Communicator communicator, TestCase test, RankCheck check, Duration timeout) {
        return run(communicator, test, check, timeout, new SignalledProcess());
    }

    /**
     * Tries a case.
     *
     * @param process what the rank can do to its own process
     */
    public static RankVerdict run(
            Communicator communicator, TestCase test, RankCheck check, Duration timeout, OwnProcess process) {
        RankContext context = new RankContext(communicator, test, timeout, process);
        try {
            check.check(context);
        } catch (UnsupportedException e) {
            context.report(FindingKind.UNSUPPORTED, text(e));
        } catch (InvalidArgumentException e) {
            context.report(FindingKind.REJECTED, text(e));
        } catch (AbortedException e) {
            context.report(FindingKind.ABORTED, text(e));
        } catch (OperationTimeoutException e) {
            context.report(FindingKind.TIMED_OUT, text(e));
            communicator.abort("conformance: rank " + communicator.rank() + " timed out in " + test.line());
        } catch (RuntimeException | Error e) {
            context.report(FindingKind.ERROR, e.getClass().getName() + ": " + text(e));
            communicator.abort("conformance: rank " + communicator.rank() + " failed in " + test.line() + ": " + e);
        }
        return context.verdict();
    }

    /**
     * Tries a case in a thread of its own.
     *
     * @param limit after this time the communicator is aborted, and the verdict contains the call in which the rank
     *     waits
     */
    public static RankVerdict runWithin(
            Duration limit, Communicator communicator, TestCase test, RankCheck check, Duration timeout) {
        DaemonTask<RankVerdict> task =
                DaemonTask.start("conformance-case", () -> run(communicator, test, check, timeout));
        if (task.endsWithin(limit)) {
            return task.result();
        }
        String where = task.where(); // before the abort changes it
        communicator.abort("conformance: a rank did not return from " + test.line());
        return RankVerdict.hung(communicator.rank(), "did not return; it was " + where);
    }

    private static String text(Throwable e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
