package org.mscclj.conformance.rank;

import java.time.Duration;
import org.mscclj.api.Communicator;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.conformance.scenario.TestCase;
import org.mscclj.conformance.task.DaemonTask;

/** Tries a case on one rank, and turns whatever happens into a verdict. */
public final class RankRun {
    private RankRun() {}

    /**
     * Tries a case. Never throws: a failure that leaves other ranks waiting aborts the communicator, so that they end,
     * too.
     *
     * @param timeout what an operation may take
     */
    public static RankVerdict run(Communicator communicator, TestCase test, RankCheck check, Duration timeout) {
        return run(communicator, test, check, timeout, new SignalledProcess());
    }

    /**
     * Likewise.
     *
     * @param process what the rank can do to itself
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
     * Likewise, in a thread of its own.
     *
     * @param limit after which the communicator is aborted, and the verdict says in which call the rank is
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
