package org.mscclj.backend.host.schedule;

import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * Two workers at one stream end each launch once, in order.
 *
 * <p>A worker takes the claim of the stream by compare-and-set, and returns it by a store with release. {@code head}
 * moves only under the claim. So the moves of one owner happen before all reads of the next, which cannot find a launch
 * that has ended.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "Each launch ended once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A launch ended twice, out of order, or not at all.")
@State
public class StreamClaim {
    private final HostStream stream = new HostStream(null, new HostScheduler(0, Optional.empty()));
    private long last;

    public StreamClaim() {
        for (long ticket = 1; ticket <= 2; ticket++) {
            long own = ticket;
            stream.enqueue(this::end, () -> own, true);
        }
    }

    private boolean end(long ticket) {
        last = last == ticket - 1 ? ticket : Long.MIN_VALUE;
        return true;
    }

    @Actor
    public void one() {
        stream.advance(0);
    }

    @Actor
    public void other() {
        stream.advance(1);
    }

    @Arbiter
    public void after(J_Result result) {
        result.r1 = last;
    }
}
