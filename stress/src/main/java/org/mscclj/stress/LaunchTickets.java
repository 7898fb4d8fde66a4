package org.mscclj.stress;

import org.mscclj.spi.engine.LaunchOrder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Two threads get tickets that differ, and only the launch of all ranks is counted as one. */
@JCStressTest
@Outcome(id = "1, 2, 1", expect = Expect.ACCEPTABLE, desc = "The launch of all ranks came first.")
@Outcome(id = "2, 1, 1", expect = Expect.ACCEPTABLE, desc = "The launch of this rank alone came first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A ticket twice, or a wrong count.")
@State
public class LaunchTickets {
    private final LaunchOrder order = new LaunchOrder();

    @Actor
    public void ofAllRanks(JJJ_Result result) {
        result.r1 = order.take();
    }

    @Actor
    public void ofThisRank(JJJ_Result result) {
        result.r2 = order.takeAlone();
    }

    @Arbiter
    public void count(JJJ_Result result) {
        result.r3 = order.shared();
    }
}
