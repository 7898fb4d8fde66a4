package org.mscclj.backend.host.engine;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * A worker that takes a block sees what the launch has prepared for it, also if it takes the block of a phase that it
 * has not seen.
 *
 * <p>The word of the block is made ready with release after the data, and taken by compare-and-set.
 */
@JCStressTest
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "The block is not ready.")
@Outcome(id = "42", expect = Expect.ACCEPTABLE, desc = "The data of the block.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The block before its data.")
@State
public class StartOfBlock {
    private final LaunchWords words = new LaunchWords();
    private final BlockWord block = new BlockWord();
    private long prepared;

    @Actor
    public void launch() {
        words.enterBlocks(1);
        prepared = 42;
        block.makeReady();
    }

    @Actor
    public void worker(J_Result result) {
        result.r1 = block.tryTake() ? prepared : -1;
    }
}
