package org.mscclj.stress;

import org.mscclj.support.stream.EndCounter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;

/**
 * No wake-up of a joining thread is lost.
 *
 * <p>The joining thread announces itself and then reads the count; the worker writes the count and then searches for
 * announced threads. All four accesses are volatile, so that at least one of them sees the other's write.
 */
@JCStressTest(Mode.Termination)
@Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "The joining thread has seen the end.")
@Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "The joining thread sleeps for ever.")
@State
public class EndWakes {
    private final EndCounter ended = new EndCounter();

    @Actor
    public void joins() {
        ended.awaitUninterruptibly(1);
    }

    @Signal
    public void ends() {
        ended.increment();
    }
}
