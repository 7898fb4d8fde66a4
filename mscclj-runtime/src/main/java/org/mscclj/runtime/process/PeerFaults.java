package org.mscclj.runtime.process;

import java.util.List;
import java.util.OptionalInt;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.proxy.FaultHandler;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.spi.engine.AbortFlag;

/**
 * What becomes of a communicator whose connection to a process has failed: it has lost that rank, unless the rank has a
 * word to say first. One that aborts and closes may end its connections before word of that arrives.
 *
 * @param control answers come over other connections, after everything else that the rank has said
 * @param abort the communicator's abort word
 */
record PeerFaults(ControlPlane control, AbortFlag abort) implements FaultHandler {
    @Override
    public void failed(OptionalInt lost, String reason) {
        if (lost.isEmpty()) {
            abort.fail(reason);
            return;
        }
        int peer = lost.getAsInt();
        ControlThreads.execute(() -> {
            try {
                var _ = control.launchesOf(List.of(peer), ControlPlane.LONGEST_ANSWER);
            } finally {
                abort.lose(peer, reason);
            }
        });
    }
}
