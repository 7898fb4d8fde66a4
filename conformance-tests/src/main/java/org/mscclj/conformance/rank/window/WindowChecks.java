package org.mscclj.conformance.rank.window;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of windows. */
public final class WindowChecks {
    private WindowChecks() {}

    /** Checks puts and gets. */
    public static RankCheck window() {
        return new WindowCheck();
    }

    /**
     * Checks that windows can be closed while signals are in flight, and cannot be closed while mapped memory is in
     * use.
     */
    public static RankCheck windowClosing() {
        return new WindowClosingCheck();
    }

    /** Checks windows in graphs. */
    public static RankCheck windowReplay() {
        return new WindowReplayCheck();
    }

    /** Checks signals of windows. */
    public static RankCheck windowSignals() {
        return new WindowSignalsCheck();
    }

    /** Checks kernels that use windows. */
    public static RankCheck deviceWindow() {
        return new DeviceWindowCheck();
    }

    /** Checks the memory of windows. */
    public static RankCheck windowMemory() {
        return new WindowMemoryCheck();
    }
}
