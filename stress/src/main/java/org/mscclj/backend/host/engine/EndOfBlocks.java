package org.mscclj.backend.host.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * The thread that finds all blocks of a launch ended sees what each of them wrote.
 *
 * <p>Each worker decrements the count, a volatile read-modify-write, after the writes of its block. The second
 * decrement sees the first, so that both happen before the read with acquire that finds 0.
 */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "A block has not ended.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Both blocks.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Ended before the writes of a block are visible.")
@State
public class EndOfBlocks {
    private final LaunchWords words = new LaunchWords();
    private long one;
    private long two;

    public EndOfBlocks() {
        words.enterBlocks(2);
    }

    @Actor
    public void firstBlock() {
        one = 1;
        words.blockEnded();
    }

    @Actor
    public void secondBlock() {
        two = 2;
        words.blockEnded();
    }

    @Actor
    public void control(JJ_Result result) {
        boolean ended = words.mayMove() && words.haveBlocksEnded();
        result.r1 = ended ? one : -1;
        result.r2 = ended ? two : -1;
    }
}
