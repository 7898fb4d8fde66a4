package org.mscclj.runtime.process;

import java.util.List;
import java.util.OptionalInt;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.proxy.FaultHandler;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.spi.engine.AbortFlag;

/**
 * Handles the failure of a communicator's connection to a process: the communicator has lost that rank, unless a frame
 * of the rank arrives first. A rank that aborts and closes may end its connections before its abort arrives.
 *
 * @param control its answers arrive over other connections, after everything else that the rank has sent
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
                var _ = control.launchesOf(List.of(peer), ControlPlane.MAX_ANSWER);
            } finally {
                abort.lose(peer, reason);
            }
        });
    }
}
