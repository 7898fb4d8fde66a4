package org.mscclj.backend.host.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Of two workers that end the last blocks of a launch, at least one finds all blocks ended, and then it sees what the
 * block of the other wrote.
 *
 * <p>Each worker decrements the count, a volatile read-modify-write, after the writes of its block. The second
 * decrement sees the first. So the worker that made it finds 0, and all writes before the first decrement happen before
 * its reads.
 */
@JCStressTest
@Outcome(id = "2, -1", expect = Expect.ACCEPTABLE, desc = "The first worker ended the last block.")
@Outcome(id = "-1, 1", expect = Expect.ACCEPTABLE, desc = "The second worker ended the last block.")
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "Both checked after the end.")
@Outcome(expect = Expect.FORBIDDEN, desc = "No worker finds the end, or one before the writes of a block are visible.")
@State
public class EndOfBlocks {
    private final LaunchWords words = new LaunchWords();
    private long one;
    private long two;

    public EndOfBlocks() {
        words.enterBlocks(2);
    }

    private boolean end() {
        words.blockEnded();
        return words.mayMove() && words.haveBlocksEnded();
    }

    @Actor
    public void first(JJ_Result result) {
        one = 1;
        result.r1 = end() ? two : -1;
    }

    @Actor
    public void second(JJ_Result result) {
        two = 2;
        result.r2 = end() ? one : -1;
    }
}
