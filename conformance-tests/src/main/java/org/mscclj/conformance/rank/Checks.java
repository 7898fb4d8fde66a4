package org.mscclj.conformance.rank;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.type.Collective;
import org.mscclj.spi.Feature;

/** The checks that rules are made of. */
public final class Checks {
    private static final int RELAUNCHES = 5;

    private Checks() {}

    /** One launch, compared with the definition of the collective. */
    public static RankCheck result() {
        return new DataCheck(1);
    }

    /** Several launches of one prepared operation, each on new data. */
    public static RankCheck relaunches() {
        return new DataCheck(RELAUNCHES);
    }

    /** The same call on the same data, twice. */
    public static RankCheck sameBits() {
        return new SameBitsCheck();
    }

    /** Calls whose sizes change each time. */
    public static RankCheck changingSizes() {
        return new ChangingSizesCheck();
    }

    /** An operation that reads what the one before it writes. */
    public static RankCheck order() {
        return new OrderCheck();
    }

    /** Two communicators at once. */
    public static RankCheck twoCommunicators() {
        return new TwoCommunicatorsCheck();
    }

    /** Many launches in a row. */
    public static RankCheck load() {
        return new LoadCheck();
    }

    /** A stream ordered after an operation. */
    public static RankCheck await() {
        return new AwaitCheck();
    }

    /** Barriers of streams wait for all ranks. */
    public static RankCheck barriers() {
        return new BarrierCheck();
    }

    /** Barriers of streams in graphs. */
    public static RankCheck barrierReplay() {
        return new BarrierReplayCheck();
    }

    /** Buffers in use are not closed. */
    public static RankCheck bufferInUse() {
        return new BufferInUseCheck();
    }

    /** Bad calls are refused. */
    public static RankCheck badArguments() {
        return new BadArgumentsCheck();
    }

    /** NaN in inputs are looked for. */
    public static RankCheck nanInput() {
        return new NanInputCheck();
    }

    /** A rank that launches late is named. */
    public static RankCheck missingRank() {
        return new MissingRankCheck();
    }

    /** An abort ends what is in flight. */
    public static RankCheck abort() {
        return new AbortCheck();
    }

    /** Calls that differ are refused by ranks that compare them. */
    public static RankCheck comparedCalls() {
        return new ComparedCallsCheck();
    }

    /** Calls that differ are named by timeouts. */
    public static RankCheck differentCalls() {
        return new DifferentCallsCheck();
    }

    /** Ranks that launch later than others, in time. */
    public static RankCheck delayedRank() {
        return new DelayedRankCheck();
    }

    /** A rank that does not launch in time. */
    public static RankCheck lateLaunch() {
        return new LateLaunchCheck();
    }

    /** A rank that does not launch a graph in time. */
    public static RankCheck lateReplay() {
        return new LateReplayCheck(ReplayedKind.COLLECTIVE);
    }

    /** A rank that launches another graph than the others. */
    public static RankCheck otherReplay() {
        return new LateReplayCheck(ReplayedKind.OTHER_COLLECTIVE);
    }

    /** A rank that does not launch a graph with messages in time. */
    public static RankCheck lateReplayOfMessages() {
        return new LateReplayCheck(ReplayedKind.MESSAGES);
    }

    /** A rank that does not launch a graph with signals of a window in time. */
    public static RankCheck lateReplayOfSignals() {
        return new LateReplayCheck(ReplayedKind.SIGNALS);
    }

    /** Aborts during every operation that needs no feature. */
    public static RankCheck abortedOperations() {
        return new AbortedOperationsCheck(Optional.empty());
    }

    /** Aborts during every operation that needs this one. */
    public static RankCheck abortedOperations(Feature feature) {
        return new AbortedOperationsCheck(Optional.of(feature));
    }

    /** Aborts during every call that waits for other ranks while something is set up or ends. */
    public static RankCheck abortedSetUp() {
        return new AbortedSetUpCheck();
    }

    /** Ends of parts with different sizes. */
    public static RankCheck unequalParts() {
        return new UnequalPartsCheck();
    }

    /** Bad arguments of these collectives. */
    public static RankCheck badCollectives(List<Collective> collectives) {
        return RefusalCheck.ofCollectives(collectives);
    }

    /** Bad sizes, ranges and lists of ranks. */
    public static RankCheck badMemory() {
        return RefusalCheck.ofMemory();
    }

    /** Bad reductions of parts. */
    public static RankCheck badReductions() {
        return RefusalCheck.ofReductions();
    }

    /** These collectives on misaligned buffers. */
    public static RankCheck misalignedCollectives(List<Collective> collectives) {
        return RefusalCheck.ofMisalignedCollectives(collectives);
    }

    /** Plans on misaligned buffers. */
    public static RankCheck misalignedPlans() {
        return RefusalCheck.ofMisalignedPlans();
    }

    /** Reductions of misaligned parts. */
    public static RankCheck misalignedReductions() {
        return RefusalCheck.ofMisalignedReductions();
    }

    /** Messages of misaligned elements. */
    public static RankCheck misalignedMessages() {
        return RefusalCheck.ofMisalignedMessages();
    }

    /** Channels over misaligned packet memory. */
    public static RankCheck misalignedChannels() {
        return ChannelRefusalCheck.ofMisaligned();
    }

    /** Bad messages. */
    public static RankCheck badMessages() {
        return RefusalCheck.ofMessages();
    }

    /** Bad accesses of windows. */
    public static RankCheck badAccesses() {
        return RefusalCheck.ofWindows();
    }

    /** Bad channels, and bad uses of good ones. */
    public static RankCheck badChannels() {
        return ChannelRefusalCheck.check();
    }

    /** Bad streams, events and times to wait. */
    public static RankCheck badStreams() {
        return RefusalCheck.ofStreams();
    }

    /** Bad captures and replays. */
    public static RankCheck badGraphs() {
        return RefusalCheck.ofGraphs();
    }

    /** Uses of what was closed. */
    public static RankCheck closedCalls() {
        return RefusalCheck.ofClosed();
    }

    /** A rank whose process is killed. */
    public static RankCheck lostRank() {
        return new LostRankCheck(LostRankCheck.Loss.KILLED);
    }

    /** A rank whose connections are cut. */
    public static RankCheck cutOffRank() {
        return new LostRankCheck(LostRankCheck.Loss.CUT_OFF);
    }

    /** A rank whose process is stopped for a shorter time than the timeout. */
    public static RankCheck stoppedForAWhile() {
        return new StoppedRankCheck(false);
    }

    /** A rank whose process is stopped for a longer time than the timeout. */
    public static RankCheck stoppedTooLong() {
        return new StoppedRankCheck(true);
    }

    /** Those who are left go on. */
    public static RankCheck shrink() {
        return new ShrinkCheck();
    }

    /** Messages between all ranks arrive. */
    public static RankCheck messages() {
        return new MessagesCheck();
    }

    /** Messages arrive in their order. */
    public static RankCheck messageOrder() {
        return new MessageOrderCheck();
    }

    /** A rank that sends late is named. */
    public static RankCheck missingSender() {
        return new MissingSenderCheck();
    }

    /** Ends of a message with different sizes. */
    public static RankCheck unequalSizes() {
        return new UnequalSizesCheck();
    }

    /** The same, where nobody joins the message. */
    public static RankCheck unjoinedSizes() {
        return new UnjoinedSizesCheck();
    }

    /** Parts of any sizes are reduced. */
    public static RankCheck partReductions() {
        return new PartReductionCheck();
    }

    /** Parts of any sizes move. */
    public static RankCheck partMoves() {
        return new PartMovesCheck();
    }

    /** Messages in graphs. */
    public static RankCheck messageReplay() {
        return new MessageReplayCheck();
    }

    /** Puts and gets. */
    public static RankCheck window() {
        return new WindowCheck();
    }

    /** Signals of windows. */
    public static RankCheck windowSignals() {
        return new WindowSignalsCheck();
    }

    /** Windows are closed with signals under way, and not while what they map is used. */
    public static RankCheck windowClosing() {
        return new WindowClosingCheck();
    }

    /** Kernels that use windows. */
    public static RankCheck deviceWindow() {
        return new DeviceWindowCheck();
    }

    /** Windows in graphs. */
    public static RankCheck windowReplay() {
        return new WindowReplayCheck();
    }

    /** Factors of premultiplied sums in memory. */
    public static RankCheck factorInMemory() {
        return new FactorInMemoryCheck();
    }

    /** Factors of premultiplied sums that differ by rank. */
    public static RankCheck factorsOfRanks() {
        return new FactorsOfRanksCheck();
    }

    /** The host accesses device memory. */
    public static RankCheck hostMemory() {
        return new HostMemoryCheck();
    }

    /** Memory of the host, and copies from it and to it. */
    public static RankCheck hostAllocations() {
        return new HostAllocationCheck();
    }

    /** Collectives on memory of the host. */
    public static RankCheck hostBuffers() {
        return new HostBuffersCheck();
    }

    /** Copies from and to memory of the host in graphs. */
    public static RankCheck capturedHostCopies() {
        return new CapturedHostCopyCheck();
    }

    /** Memory channels made by hand. */
    public static RankCheck memoryChannel() {
        return new ChannelCheck(ChannelKind.MEMORY);
    }

    /** Port channels made by hand. */
    public static RankCheck portChannel() {
        return new ChannelCheck(ChannelKind.PORT);
    }

    /** Channels used by kernels. */
    public static RankCheck deviceChannels() {
        return new DeviceChannelCheck();
    }

    /** A kernel that waits in vain is ended by an abort. */
    public static RankCheck deviceAbort() {
        return new DeviceAbortCheck();
    }

    /** Graphs between other launches. */
    public static RankCheck graphReplay() {
        return new GraphReplayCheck();
    }

    /** Graphs and launches that depend on each other. */
    public static RankCheck graphOrder() {
        return new GraphOrderCheck();
    }

    /** A graph of two communicators. */
    public static RankCheck graphBranches() {
        return new GraphBranchesCheck();
    }

    /** Graphs that outlive what they hold. */
    public static RankCheck graphLife() {
        return new GraphLifeCheck();
    }

    /** Ranks split into lists. */
    public static RankCheck split() {
        return new SplitCheck();
    }

    /** Why a communicator has ended. */
    public static RankCheck failure() {
        return new FailureCheck();
    }

    /** Ranks split by colours. */
    public static RankCheck colours() {
        return new ColourCheck();
    }

    /** Grids of ranks. */
    public static RankCheck mesh() {
        return new MeshCheck();
    }

    /** Futures of operations. */
    public static RankCheck futures() {
        return new FutureCheck();
    }

    /** The last launch of a prepared operation. */
    public static RankCheck lastLaunch() {
        return new LastLaunchCheck();
    }

    /** What is left when communicators are closed. */
    public static RankCheck leaks() {
        return new LeakCheck();
    }

    /** Hooks around launches. */
    public static RankCheck hooks() {
        return new HookCheck();
    }

    /** Hooks and replays. */
    public static RankCheck hooksOfReplays() {
        return new HookOfReplaysCheck();
    }

    /** Hooks and aborts. */
    public static RankCheck hooksOfAborts() {
        return new HookOfAbortsCheck();
    }

    /** Futures of operations that are aborted. */
    public static RankCheck abortedFutures() {
        return new AbortedFutureCheck();
    }

    /** Two aborts, one after the other. */
    public static RankCheck firstReason() {
        return new FirstReasonCheck();
    }

    /** A rank that closes while others wait for it. */
    public static RankCheck closedRank() {
        return new ClosedRankCheck();
    }

    /** A rank that closes while others wait for its messages or signals; of what, the feature says. */
    public static RankCheck closedPeer(Feature feature) {
        return new ClosedPeerCheck(feature);
    }

    /** A rank that closes while threads of others wait for it on channels made by hand. */
    public static RankCheck closedChannel(ChannelKind kind) {
        return new ClosedChannelCheck(kind);
    }

    /** A rank that closes while kernels of others wait for it: on channels, or in windows. */
    public static RankCheck closedKernels(Feature feature) {
        return new ClosedKernelCheck(
                feature == Feature.WINDOWS ? ClosedWindowKernels::make : ClosedChannelKernels::make);
    }

    /** Faults, in the health of processes. */
    public static RankCheck health() {
        return new HealthCheck();
    }

    /** Calls of a kind that is known. */
    public static RankCheck knownKinds() {
        return new KnownKindCheck();
    }

    /** Memory at different places. */
    public static RankCheck places() {
        return new PlacesCheck(false);
    }

    /** Buffers without bytes at different places. */
    public static RankCheck emptyPlaces() {
        return new PlacesCheck(true);
    }

    /** Algorithms that ranks choose. */
    public static RankCheck choice() {
        return new ChoiceCheck();
    }

    /** Hints that mean nothing, where they are refused. */
    public static RankCheck strictHints() {
        return new HintsCheck(true);
    }

    /** Hints that mean nothing, where they are ignored. */
    public static RankCheck otherHints() {
        return new HintsCheck(false);
    }

    /** Empty messages, and messages of a rank to itself. */
    public static RankCheck emptyMessages() {
        return new EmptyMessagesCheck();
    }

    /** Messages from and to memory of all kinds. */
    public static RankCheck anyMemory() {
        return new AnyMemoryCheck();
    }

    /** Messages of communicators that were never used. */
    public static RankCheck lanes() {
        return new LanesCheck();
    }

    /** What a window is made of. */
    public static RankCheck windowMemory() {
        return new WindowMemoryCheck();
    }

    /** Survivors go on in another communicator, without newcomers. */
    public static RankCheck reconfigure() {
        return new ReconfigureCheck();
    }
}
