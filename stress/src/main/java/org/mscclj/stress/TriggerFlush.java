package org.mscclj.stress;

import java.lang.foreign.MemorySegment;
import org.mscclj.spi.proxy.TriggerFifo;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A producer that sees its flush answered may write the source again: the proxy has read it. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The flush is not answered yet.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "The source is written again, and the target is seen.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The proxy read a later source, or the target is not seen.")
@State
public class TriggerFlush {
    private final TriggerFifo fifo = new TriggerFifo(MemorySegment.ofArray(new long[4]), () -> {});
    private long source = 1;
    private long target;

    @Actor
    public void proxy(JJ_Result result) {
        result.r1 = source;
        target = 2;
        fifo.publishFlushed(0, 1);
    }

    @Actor
    public void producer(JJ_Result result) {
        if (fifo.flushed(0) > 0) {
            source = 3;
            result.r2 = target;
        }
    }
}
