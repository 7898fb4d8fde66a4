package org.mscclj.conformance.rank.channel;

import org.mscclj.api.channel.ChannelKind;
import org.mscclj.conformance.rank.RankCheck;

/** The checks of channels. */
public final class ChannelChecks {
    private ChannelChecks() {}

    /** Checks port channels that the application sets up. */
    public static RankCheck portChannel() {
        return new ChannelCheck(ChannelKind.PORT);
    }

    /** Checks that an abort ends a kernel which waits in vain. */
    public static RankCheck deviceAbort() {
        return new DeviceAbortCheck();
    }

    /** Checks memory channels that the application sets up. */
    public static RankCheck memoryChannel() {
        return new ChannelCheck(ChannelKind.MEMORY);
    }

    /** Checks channels that kernels use. */
    public static RankCheck deviceChannels() {
        return new DeviceChannelCheck();
    }
}
