package org.mscclj.stress;

import org.mscclj.spi.engine.LaunchOrder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** A launch sees everything that the launch before it wrote, even if another thread carries it out. */
@JCStressTest
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "The first launch has not ended.")
@Outcome(id = "42", expect = Expect.ACCEPTABLE, desc = "The second launch sees the first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The second launch starts before it sees the first.")
@State
public class LaunchHandover {
    private final LaunchOrder order = new LaunchOrder();
    private final long before = order.take();
    private final long after = order.take();
    private long written;

    @Actor
    public void first() {
        written = 42;
        order.ended(before);
    }

    @Actor
    public void second(J_Result result) {
        result.r1 = order.isNext(after) ? written : -1;
    }
}
