package org.mscclj.backend.host.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * A worker that sees the phase in which blocks run sees what the launch has prepared for them.
 *
 * <p>The phase is entered with release after the data, and read with acquire.
 */
@JCStressTest
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "Blocks do not run yet.")
@Outcome(id = "42", expect = Expect.ACCEPTABLE, desc = "The data of the phase.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The phase before its data.")
@State
public class PhaseOfLaunch {
    private final LaunchWords words = new LaunchWords();
    private long prepared;

    @Actor
    public void launch() {
        prepared = 42;
        words.enterBlocks(1);
    }

    @Actor
    public void worker(J_Result result) {
        result.r1 = words.seenPhase() == LaunchWords.Phase.BLOCKS ? prepared : -1;
    }
}
