package org.mscclj.stress;

import org.mscclj.spi.engine.LaunchOrder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A reader counts the launches of all ranks without the lock, and never sees the two counts apart. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Before the launch of all ranks.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "In between.")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "After both.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A count below 0, above 1, or that falls.")
@State
public class LaunchCounting {
    private final LaunchOrder order = new LaunchOrder();

    @Actor
    public void launches() {
        order.takeAlone();
        order.take();
    }

    @Actor
    public void reader(JJ_Result result) {
        result.r1 = order.shared();
        result.r2 = order.shared();
    }
}
