package org.mscclj.conformance.rank.loss;

import org.mscclj.api.channel.ChannelKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.spi.Feature;

/** The checks of closed and lost ranks. */
public final class LossChecks {
    private LossChecks() {}

    /** Checks a rank whose connections are cut. */
    public static RankCheck cutOffRank() {
        return new LostRankCheck(LostRankCheck.Loss.CUT_OFF);
    }

    /** Checks a rank that closes while others wait for its sends or for its signals, as the feature says. */
    public static RankCheck closedPeer(Feature feature) {
        return new ClosedPeerCheck(feature);
    }

    /** Checks a rank that closes while kernels of other ranks wait for it: on channels, or in windows. */
    public static RankCheck closedKernels(Feature feature) {
        return new ClosedKernelCheck(
                feature == Feature.WINDOWS ? ClosedWindowKernels::make : ClosedChannelKernels::make);
    }

    /** Checks a rank whose process is killed. */
    public static RankCheck lostRank() {
        return new LostRankCheck(LostRankCheck.Loss.KILLED);
    }

    /** Checks a rank that closes while others wait for it. */
    public static RankCheck closedRank() {
        return new ClosedRankCheck();
    }

    /**
     * Checks a rank that closes while threads of other ranks wait for it on channels that the application has set up.
     */
    public static RankCheck closedChannel(ChannelKind kind) {
        return new ClosedChannelCheck(kind);
    }

    /** Checks faults in the health of processes. */
    public static RankCheck health() {
        return new HealthCheck();
    }
}
