package org.mscclj.backend.host.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * Two workers take turns at a block: one at a time, and the next sees what the one before did.
 *
 * <p>The word is taken by compare-and-set, so that one worker wins, and returned with release, which the next
 * compare-and-set acquires.
 */
@JCStressTest
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "Only the first had a turn.")
@Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "Only the second had a turn.")
@Outcome(id = "true, true, 2", expect = Expect.ACCEPTABLE, desc = "One after the other.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both at once, or none.")
@State
public class TurnsOfBlock {
    private final BlockWord block = new BlockWord();
    private int steps;

    public TurnsOfBlock() {
        block.makeReady();
    }

    private boolean turn() {
        if (!block.tryTake()) {
            return false;
        }
        steps++;
        block.giveBack(false);
        return true;
    }

    @Actor
    public void one(ZZI_Result result) {
        result.r1 = turn();
    }

    @Actor
    public void other(ZZI_Result result) {
        result.r2 = turn();
    }

    @Arbiter
    public void after(ZZI_Result result) {
        result.r3 = steps;
    }
}
