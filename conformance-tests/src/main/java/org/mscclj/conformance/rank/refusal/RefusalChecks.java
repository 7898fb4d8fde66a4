package org.mscclj.conformance.rank.refusal;

import java.util.List;
import org.mscclj.api.type.Collective;
import org.mscclj.conformance.rank.RankCheck;

/** The checks of refusals. */
public final class RefusalChecks {
    private RefusalChecks() {}

    /** Checks that NaN in inputs is found. */
    public static RankCheck nanInput() {
        return new NanInputCheck();
    }

    /** Checks bad sizes, ranges and lists of ranks. */
    public static RankCheck badMemory() {
        return RefusalCheck.ofMemory();
    }

    /** Checks these collectives on misaligned buffers. */
    public static RankCheck misalignedCollectives(List<Collective> collectives) {
        return RefusalCheck.ofMisalignedCollectives(collectives);
    }

    /** Checks variable-size reductions of misaligned parts. */
    public static RankCheck misalignedReductions() {
        return RefusalCheck.ofMisalignedReductions();
    }

    /** Checks channels over misaligned packet memory. */
    public static RankCheck misalignedChannels() {
        return ChannelRefusalCheck.ofMisaligned();
    }

    /** Checks bad accesses to windows. */
    public static RankCheck badAccesses() {
        return RefusalCheck.ofWindows();
    }

    /** Checks bad streams, events and timeouts. */
    public static RankCheck badStreams() {
        return RefusalCheck.ofStreams();
    }

    /** Checks uses of closed objects. */
    public static RankCheck closedCalls() {
        return RefusalCheck.ofClosed();
    }

    /** Checks that bad calls are refused. */
    public static RankCheck badArguments() {
        return new BadArgumentsCheck();
    }

    /** Checks bad arguments of these collectives. */
    public static RankCheck badCollectives(List<Collective> collectives) {
        return RefusalCheck.ofCollectives(collectives);
    }

    /** Checks bad variable-size reductions. */
    public static RankCheck badReductions() {
        return RefusalCheck.ofReductions();
    }

    /** Checks plans on misaligned buffers. */
    public static RankCheck misalignedPlans() {
        return RefusalCheck.ofMisalignedPlans();
    }

    /** Checks sends and receives of misaligned elements. */
    public static RankCheck misalignedMessages() {
        return RefusalCheck.ofMisalignedMessages();
    }

    /** Checks bad sends and receives. */
    public static RankCheck badMessages() {
        return RefusalCheck.ofMessages();
    }

    /** Checks bad channels, and bad uses of good channels. */
    public static RankCheck badChannels() {
        return ChannelRefusalCheck.check();
    }

    /** Checks bad captures and replays. */
    public static RankCheck badGraphs() {
        return RefusalCheck.ofGraphs();
    }
}
