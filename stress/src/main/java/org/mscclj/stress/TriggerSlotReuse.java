package org.mscclj.stress;

import java.lang.foreign.MemorySegment;
import org.mscclj.spi.proxy.TriggerFifo;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A producer writes a slot of the lap before only after the proxy has read it. */
@JCStressTest
@Outcome(id = "1, 2, -1", expect = Expect.ACCEPTABLE, desc = "The ring was still full.")
@Outcome(id = "1, 2, 1", expect = Expect.ACCEPTABLE, desc = "The slot was free.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The slot was overwritten while it was read.")
@State
public class TriggerSlotReuse {
    private final TriggerFifo fifo = new TriggerFifo(MemorySegment.ofArray(new long[2]), () -> {});

    public TriggerSlotReuse() {
        fifo.tryPush(1, 2);
    }

    @Actor
    public void proxy(JJJ_Result result) {
        result.r1 = fifo.word0();
        result.r2 = fifo.word1();
        fifo.pop();
    }

    @Actor
    public void producer(JJJ_Result result) {
        result.r3 = fifo.tryPush(3, 4);
    }
}
