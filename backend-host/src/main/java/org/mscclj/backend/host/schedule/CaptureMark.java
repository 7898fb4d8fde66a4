package org.mscclj.backend.host.schedule;

import java.util.Arrays;
import org.mscclj.api.error.InvalidArgumentException;

/** A point of a stream that is being captured: the number of commands of each branch before it. */
final class CaptureMark implements HostEvent.Point {
    private final HostCapture capture;
    private final int branch;
    private final int[] before;

    /**
     * A point.
     *
     * @param branch the branch of the point
     * @param before for each branch known there, the number of its commands before the point
     */
    CaptureMark(HostCapture capture, int branch, int[] before) {
        this.capture = capture;
        this.branch = branch;
        this.before = before;
    }

    HostCapture capture() {
        return capture;
    }

    int branch() {
        return branch;
    }

    /** The number of commands of its own branch before the point. */
    int position() {
        return before[branch];
    }

    /** The commands before this point or before another point. */
    int[] or(int[] other) {
        int[] both = Arrays.copyOf(other, Math.max(other.length, before.length));
        for (int i = 0; i < before.length; i++) {
            both[i] = Math.max(both[i], before[i]);
        }
        return both;
    }

    @Override
    public boolean isReached() {
        throw new InvalidArgumentException(
                "the event was recorded on a stream that was being captured, and is part of the graph: record"
                        + " it again to ask it");
    }
}
