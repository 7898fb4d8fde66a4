package org.mscclj.backend.host.transfer;

import java.util.List;
import org.mscclj.backend.host.step.HostStep;
import org.mscclj.backend.host.step.StepContext;
import org.mscclj.spi.transfer.PendingTransfer;
import org.mscclj.spi.transfer.RemoteAccess;

/** A put or get of another node's memory. */
public abstract class AccessStep extends HostStep {
    private final RemoteAccess access;

    /**
     * The number of bytes that are at their destination; written by the thread that continues the block, read by
     * threads that report progress.
     */
    private volatile long moved;

    AccessStep(RemoteAccess access) {
        this.access = access;
    }

    /** The step of an access. */
    public static AccessStep of(HostLanes lanes, RemoteAccess access) {
        return access.puts()
                ? new PutStep(access, lanes.putLane(access.peer()))
                : new GetStep(access, lanes.getLane(access.peer()));
    }

    RemoteAccess access() {
        return access;
    }

    /** Resets the progress of an earlier launch. */
    public void forget() {
        moved = 0;
    }

    void moved(long bytes) {
        moved = bytes;
    }

    /** The access, unless it has ended. */
    public List<PendingTransfer> pending() {
        long now = moved;
        return now == access.bytes() ? List.of() : List.of(PendingTransfer.of(access, now));
    }

    /** The access, for a launch that waits for its turn. */
    public List<PendingTransfer> notBegun() {
        return List.of(PendingTransfer.of(access, 0));
    }

    @Override
    public void begin(StepContext context, long from, long to) {
        forget();
    }

    @Override
    public long bytes(long from, long to) {
        return access.bytes();
    }
}
