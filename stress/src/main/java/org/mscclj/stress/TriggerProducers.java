package org.mscclj.stress;

import java.lang.foreign.MemorySegment;
import org.mscclj.spi.proxy.TriggerFifo;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** One of two producers gets the only slot of a ring, and the other finds the ring full. */
@JCStressTest
@Outcome(id = "0, -1, 1", expect = Expect.ACCEPTABLE, desc = "The first producer got the slot.")
@Outcome(id = "-1, 0, 2", expect = Expect.ACCEPTABLE, desc = "The second producer got the slot.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both, none, or the words of the other.")
@State
public class TriggerProducers {
    private final TriggerFifo fifo = new TriggerFifo(MemorySegment.ofArray(new long[2]), () -> {});

    @Actor
    public void first(JJJ_Result result) {
        result.r1 = fifo.tryPush(1, 0);
    }

    @Actor
    public void second(JJJ_Result result) {
        result.r2 = fifo.tryPush(2, 0);
    }

    @Arbiter
    public void proxy(JJJ_Result result) {
        result.r3 = fifo.poll() ? fifo.word0() : -1;
    }
}
