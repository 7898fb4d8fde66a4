package org.mscclj.stress;

import org.mscclj.spi.engine.AbortFlag;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * An action that is registered while the abort word is being set runs once, so that no sleeping thread is forgotten.
 *
 * <p>Registering and setting are ordered by the monitor. Whichever comes second runs the action.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The action has run once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The action has not run, or twice.")
@State
public class AbortWakes {
    private final AbortFlag abort = new AbortFlag();
    private int runs;

    @Actor
    public void aborts() {
        abort.set("why");
    }

    @Actor
    public void registers() {
        abort.whenSet(() -> runs++);
    }

    @Arbiter
    public void after(I_Result result) {
        result.r1 = runs;
    }
}
