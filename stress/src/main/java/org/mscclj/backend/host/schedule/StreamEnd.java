package org.mscclj.backend.host.schedule;

import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * A thread that finds a stream idle sees what its launches wrote.
 *
 * <p>The worker raises the count of ended commands, a volatile write, after the command has ended. The calling thread
 * reads the count. If it has reached the tail, the write of the count, and all that the worker did before it, happen
 * before the reads that follow.
 */
@JCStressTest
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "The launch has not ended.")
@Outcome(id = "42", expect = Expect.ACCEPTABLE, desc = "The result of the launch.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Idle before the result is visible.")
@State
public class StreamEnd {
    private final HostStream stream = new HostStream(null, new HostScheduler(0, Optional.empty()));
    private long written;

    public StreamEnd() {
        stream.enqueue(
                ticket -> {
                    written = ticket;
                    return true;
                },
                () -> 42,
                true);
    }

    @Actor
    public void worker() {
        stream.advance(0);
    }

    @Actor
    public void caller(J_Result result) {
        result.r1 = stream.isIdle() ? written : -1;
    }
}
