package org.mscclj.backend.host.schedule;

import java.util.Optional;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A worker that finds a launch in a stream sees all of it, and its ticket.
 *
 * <p>The calling thread writes the launch and its place in the queue, and then raises {@code tail} with release. The
 * worker reads {@code tail} with acquire before it reads the place. So all writes before the release happen before the
 * reads after the acquire.
 */
@JCStressTest
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "The launch is not visible yet.")
@Outcome(id = "42, 7", expect = Expect.ACCEPTABLE, desc = "The whole launch.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A launch in part.")
@State
public class StreamPublication {
    private final HostStream stream = new HostStream(null, new HostScheduler(0, Optional.empty()));

    private static final class Launch implements Command {
        private long size;
        private long seenSize = -1;
        private long seenTicket = -1;

        @Override
        public boolean control(long ticket) {
            seenSize = size;
            seenTicket = ticket;
            return true;
        }
    }

    private final Launch launch = new Launch();

    @Actor
    public void caller() {
        launch.size = 42;
        stream.enqueue(launch, () -> 7, true);
    }

    @Actor
    public void worker(JJ_Result result) {
        stream.advance(0);
        result.r1 = launch.seenSize;
        result.r2 = launch.seenTicket;
    }
}
