package org.mscclj.backend.host.schedule;

import java.util.Arrays;
import org.mscclj.api.error.InvalidArgumentException;

/** A point of a stream that is being captured: how much of each branch comes before it. */
final class CaptureMark implements HostEvent.Point {
    private final Capture capture;
    private final int branch;
    private final int[] before;

    /**
     * A point.
     *
     * @param branch where it is
     * @param before for each branch known there, how many of its commands come before the point
     */
    CaptureMark(Capture capture, int branch, int[] before) {
        this.capture = capture;
        this.branch = branch;
        this.before = before;
    }

    Capture capture() {
        return capture;
    }

    int branch() {
        return branch;
    }

    /** How many commands of its own branch come before it. */
    int position() {
        return before[branch];
    }

    /** What comes before this point, or before another one. */
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
