package org.mscclj.stress;

import java.lang.foreign.MemorySegment;
import org.mscclj.spi.proxy.TriggerFifo;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A push releases: a proxy that polls a trigger sees both words, and what the producer wrote before. */
@JCStressTest
@Outcome(id = "-1, -1, -1", expect = Expect.ACCEPTABLE, desc = "No trigger yet.")
@Outcome(id = "7, 9, 42", expect = Expect.ACCEPTABLE, desc = "The whole trigger and its source.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A trigger in part, or before its source.")
@State
public class TriggerPushPoll {
    private final TriggerFifo fifo = new TriggerFifo(MemorySegment.ofArray(new long[4]), () -> {});
    private long source;

    @Actor
    public void producer() {
        source = 42;
        fifo.tryPush(7, 9);
    }

    @Actor
    public void proxy(JJJ_Result result) {
        boolean full = fifo.poll();
        result.r1 = full ? fifo.word0() : -1;
        result.r2 = full ? fifo.word1() : -1;
        result.r3 = full ? source : -1;
    }
}
