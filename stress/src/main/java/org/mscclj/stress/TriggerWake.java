package org.mscclj.stress;

import java.lang.foreign.MemorySegment;
import org.mscclj.spi.proxy.TriggerFifo;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** No wake-up is lost: the producer sees that the proxy sleeps, or the proxy sees the push. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The producer wakes the proxy.")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Both see the other.")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "The proxy does not sleep.")
@Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "The proxy sleeps, and nothing wakes it.")
@State
public class TriggerWake {
    private final TriggerFifo fifo = new TriggerFifo(MemorySegment.ofArray(new long[4]), this::wake);
    private volatile boolean asleep;
    private boolean seenAsleep;

    private void wake() {
        seenAsleep = asleep;
    }

    @Actor
    public void producer(ZZ_Result result) {
        fifo.tryPush(1, 2);
        result.r1 = seenAsleep;
    }

    @Actor
    public void proxy(ZZ_Result result) {
        asleep = true;
        result.r2 = fifo.isEmpty();
    }
}
