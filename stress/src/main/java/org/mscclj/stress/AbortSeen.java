package org.mscclj.stress;

import org.mscclj.spi.engine.AbortFlag;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JI_Result;

/**
 * A thread that sees the abort word set sees what the aborting thread did before, and the reason.
 *
 * <p>The word is a volatile field that is written after the reason. The reason is read under the monitor under which it
 * was written.
 */
@JCStressTest
@Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "Not aborted yet.")
@Outcome(id = "42, 3", expect = Expect.ACCEPTABLE, desc = "Aborted, with the reason.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Aborted before what led to it.")
@State
public class AbortSeen {
    private final AbortFlag abort = new AbortFlag();
    private long written;

    @Actor
    public void aborts() {
        written = 42;
        abort.set("why");
    }

    @Actor
    public void worker(JI_Result result) {
        boolean set = abort.isSet();
        result.r1 = set ? written : -1;
        result.r2 = set ? abort.reason().orElse("").length() : 0;
    }
}
