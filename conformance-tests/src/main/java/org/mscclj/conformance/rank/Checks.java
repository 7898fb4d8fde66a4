package org.mscclj.conformance.rank;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.type.Collective;
import org.mscclj.spi.Feature;

/** The checks of the rules. */
public final class Checks {
    private static final int RELAUNCHES = 5;

    private Checks() {}

    /** Compares one launch with the definition of the collective. */
    public static RankCheck result() {
        return new DataCheck(1);
    }

    /** Launches one prepared operation several times, each time on new data. */
    public static RankCheck relaunches() {
        return new DataCheck(RELAUNCHES);
    }

    /** Repeats a call on equal data. */
    public static RankCheck sameBits() {
        return new SameBitsCheck();
    }

    /** Checks calls whose sizes change each time. */
    public static RankCheck changingSizes() {
        return new ChangingSizesCheck();
    }

    /** Checks an operation that reads what the previous operation writes. */
    public static RankCheck order() {
        return new OrderCheck();
    }

    /** Uses two communicators at once. */
    public static RankCheck twoCommunicators() {
        return new TwoCommunicatorsCheck();
    }

    /** Launches many times in a row. */
    public static RankCheck load() {
        return new LoadCheck();
    }

    /** Orders a stream after an operation. */
    public static RankCheck await() {
        return new AwaitCheck();
    }

    /** Checks that barriers of streams wait for all ranks. */
    public static RankCheck barriers() {
        return new BarrierCheck();
    }

    /** Checks barriers of streams in graphs. */
    public static RankCheck barrierReplay() {
        return new BarrierReplayCheck();
    }

    /** Checks that buffers in use cannot be closed. */
    public static RankCheck bufferInUse() {
        return new BufferInUseCheck();
    }

    /** Checks that bad calls are refused. */
    public static RankCheck badArguments() {
        return new BadArgumentsCheck();
    }

    /** Checks that NaN in inputs is found. */
    public static RankCheck nanInput() {
        return new NanInputCheck();
    }

    /** Checks that a timeout names a rank that launches late. */
    public static RankCheck missingRank() {
        return new MissingRankCheck();
    }

    /** Checks that an abort ends what is in flight. */
    public static RankCheck abort() {
        return new AbortCheck();
    }

    /** Checks that ranks which compare their calls refuse calls that differ. */
    public static RankCheck comparedCalls() {
        return new ComparedCallsCheck();
    }

    /** Checks that timeouts name calls that differ. */
    public static RankCheck differentCalls() {
        return new DifferentCallsCheck();
    }

    /** Checks ranks that launch later than others, but within the timeout. */
    public static RankCheck delayedRank() {
        return new DelayedRankCheck();
    }

    /** Checks a rank that does not launch within the timeout. */
    public static RankCheck lateLaunch() {
        return new LateLaunchCheck();
    }

    /** Checks a rank that does not launch a graph within the timeout. */
    public static RankCheck lateReplay() {
        return new LateReplayCheck(ReplayedKind.COLLECTIVE);
    }

    /** Checks a rank that launches another graph than the others. */
    public static RankCheck otherReplay() {
        return new LateReplayCheck(ReplayedKind.OTHER_COLLECTIVE);
    }

    /** Checks a rank that does not launch a graph of sends and receives within the timeout. */
    public static RankCheck lateReplayOfMessages() {
        return new LateReplayCheck(ReplayedKind.MESSAGES);
    }

    /** Checks a rank that does not launch a graph of window signals within the timeout. */
    public static RankCheck lateReplayOfSignals() {
        return new LateReplayCheck(ReplayedKind.SIGNALS);
    }

    /** Checks aborts during every operation that needs no feature. */
    public static RankCheck abortedOperations() {
        return new AbortedOperationsCheck(Optional.empty());
    }

    /** Checks aborts during every operation that needs this feature. */
    public static RankCheck abortedOperations(Feature feature) {
        return new AbortedOperationsCheck(Optional.of(feature));
    }

    /** Checks aborts during every call that waits for other ranks while it sets something up or ends it. */
    public static RankCheck abortedSetUp() {
        return new AbortedSetUpCheck();
    }

    /** Checks parts whose sizes differ at their two ends. */
    public static RankCheck unequalParts() {
        return new UnequalPartsCheck();
    }

    /** Checks bad arguments of these collectives. */
    public static RankCheck badCollectives(List<Collective> collectives) {
        return RefusalCheck.ofCollectives(collectives);
    }

    /** Checks bad sizes, ranges and lists of ranks. */
    public static RankCheck badMemory() {
        return RefusalCheck.ofMemory();
    }

    /** Checks bad variable-size reductions. */
    public static RankCheck badReductions() {
        return RefusalCheck.ofReductions();
    }

    /** Checks these collectives on misaligned buffers. */
    public static RankCheck misalignedCollectives(List<Collective> collectives) {
        return RefusalCheck.ofMisalignedCollectives(collectives);
    }

    /** Checks plans on misaligned buffers. */
    public static RankCheck misalignedPlans() {
        return RefusalCheck.ofMisalignedPlans();
    }

    /** Checks variable-size reductions of misaligned parts. */
    public static RankCheck misalignedReductions() {
        return RefusalCheck.ofMisalignedReductions();
    }

    /** Checks sends and receives of misaligned elements. */
    public static RankCheck misalignedMessages() {
        return RefusalCheck.ofMisalignedMessages();
    }

    /** Checks channels over misaligned packet memory. */
    public static RankCheck misalignedChannels() {
        return ChannelRefusalCheck.ofMisaligned();
    }

    /** Checks bad sends and receives. */
    public static RankCheck badMessages() {
        return RefusalCheck.ofMessages();
    }

    /** Checks bad accesses to windows. */
    public static RankCheck badAccesses() {
        return RefusalCheck.ofWindows();
    }

    /** Checks bad channels, and bad uses of good channels. */
    public static RankCheck badChannels() {
        return ChannelRefusalCheck.check();
    }

    /** Checks bad streams, events and timeouts. */
    public static RankCheck badStreams() {
        return RefusalCheck.ofStreams();
    }

    /** Checks bad captures and replays. */
    public static RankCheck badGraphs() {
        return RefusalCheck.ofGraphs();
    }

    /** Checks uses of closed objects. */
    public static RankCheck closedCalls() {
        return RefusalCheck.ofClosed();
    }

    /** Checks a rank whose process is killed. */
    public static RankCheck lostRank() {
        return new LostRankCheck(LostRankCheck.Loss.KILLED);
    }

    /** Checks a rank whose connections are cut. */
    public static RankCheck cutOffRank() {
        return new LostRankCheck(LostRankCheck.Loss.CUT_OFF);
    }

    /** Checks a rank whose process is stopped for a shorter time than the timeout. */
    public static RankCheck stoppedForAWhile() {
        return new StoppedRankCheck(false);
    }

    /** Checks a rank whose process is stopped for a longer time than the timeout. */
    public static RankCheck stoppedTooLong() {
        return new StoppedRankCheck(true);
    }

    /** Checks that the remaining ranks continue after a shrink. */
    public static RankCheck shrink() {
        return new ShrinkCheck();
    }

    /** Checks that data between all ranks arrives. */
    public static RankCheck messages() {
        return new MessagesCheck();
    }

    /** Checks that sends are received in their order. */
    public static RankCheck messageOrder() {
        return new MessageOrderCheck();
    }

    /** Checks that a timeout names a rank that sends late. */
    public static RankCheck missingSender() {
        return new MissingSenderCheck();
    }

    /** Checks a send and its receive that differ in size. */
    public static RankCheck unequalSizes() {
        return new UnequalSizesCheck();
    }

    /** Checks a send and its receive that differ in size, where no rank joins them. */
    public static RankCheck unjoinedSizes() {
        return new UnjoinedSizesCheck();
    }

    /** Checks variable-size reductions. */
    public static RankCheck partReductions() {
        return new PartReductionCheck();
    }

    /** Checks variable-size collectives that move data. */
    public static RankCheck partMoves() {
        return new PartMovesCheck();
    }

    /** Checks sends and receives in graphs. */
    public static RankCheck messageReplay() {
        return new MessageReplayCheck();
    }

    /** Checks puts and gets. */
    public static RankCheck window() {
        return new WindowCheck();
    }

    /** Checks signals of windows. */
    public static RankCheck windowSignals() {
        return new WindowSignalsCheck();
    }

    /**
     * Checks that windows can be closed while signals are in flight, and cannot be closed while mapped memory is in
     * use.
     */
    public static RankCheck windowClosing() {
        return new WindowClosingCheck();
    }

    /** Checks kernels that use windows. */
    public static RankCheck deviceWindow() {
        return new DeviceWindowCheck();
    }

    /** Checks windows in graphs. */
    public static RankCheck windowReplay() {
        return new WindowReplayCheck();
    }

    /** Checks factors of premultiplied sums in memory. */
    public static RankCheck factorInMemory() {
        return new FactorInMemoryCheck();
    }

    /** Checks factors of premultiplied sums that differ by rank. */
    public static RankCheck factorsOfRanks() {
        return new FactorsOfRanksCheck();
    }

    /** Checks accesses of the host to device memory. */
    public static RankCheck hostMemory() {
        return new HostMemoryCheck();
    }

    /** Checks memory of the host, and copies from it and to it. */
    public static RankCheck hostAllocations() {
        return new HostAllocationCheck();
    }

    /** Checks collectives on memory of the host. */
    public static RankCheck hostBuffers() {
        return new HostBuffersCheck();
    }

    /** Checks copies from and to memory of the host in graphs. */
    public static RankCheck capturedHostCopies() {
        return new CapturedHostCopyCheck();
    }

    /** Checks memory channels that the application sets up. */
    public static RankCheck memoryChannel() {
        return new ChannelCheck(ChannelKind.MEMORY);
    }

    /** Checks port channels that the application sets up. */
    public static RankCheck portChannel() {
        return new ChannelCheck(ChannelKind.PORT);
    }

    /** Checks channels that kernels use. */
    public static RankCheck deviceChannels() {
        return new DeviceChannelCheck();
    }

    /** Checks that an abort ends a kernel which waits in vain. */
    public static RankCheck deviceAbort() {
        return new DeviceAbortCheck();
    }

    /** Checks graphs between other launches. */
    public static RankCheck graphReplay() {
        return new GraphReplayCheck();
    }

    /** Checks graphs and launches that depend on each other. */
    public static RankCheck graphOrder() {
        return new GraphOrderCheck();
    }

    /** Checks a graph of two communicators. */
    public static RankCheck graphBranches() {
        return new GraphBranchesCheck();
    }

    /** Checks graphs that outlive what they hold. */
    public static RankCheck graphLife() {
        return new GraphLifeCheck();
    }

    /** Checks splits by lists of ranks. */
    public static RankCheck split() {
        return new SplitCheck();
    }

    /** Checks the reason why a communicator has ended. */
    public static RankCheck failure() {
        return new FailureCheck();
    }

    /** Checks splits by colours. */
    public static RankCheck colours() {
        return new ColourCheck();
    }

    /** Checks meshes of ranks. */
    public static RankCheck mesh() {
        return new MeshCheck();
    }

    /** Checks futures of operations. */
    public static RankCheck futures() {
        return new FutureCheck();
    }

    /** Checks the last launch of a prepared operation. */
    public static RankCheck lastLaunch() {
        return new LastLaunchCheck();
    }

    /** Checks that closed communicators release their resources. */
    public static RankCheck leaks() {
        return new LeakCheck();
    }

    /** Checks hooks around launches. */
    public static RankCheck hooks() {
        return new HookCheck();
    }

    /** Checks hooks and replays. */
    public static RankCheck hooksOfReplays() {
        return new HookOfReplaysCheck();
    }

    /** Checks hooks and aborts. */
    public static RankCheck hooksOfAborts() {
        return new HookOfAbortsCheck();
    }

    /** Checks futures of operations that are aborted. */
    public static RankCheck abortedFutures() {
        return new AbortedFutureCheck();
    }

    /** Checks two aborts, one after the other. */
    public static RankCheck firstReason() {
        return new FirstReasonCheck();
    }

    /** Checks a rank that closes while others wait for it. */
    public static RankCheck closedRank() {
        return new ClosedRankCheck();
    }

    /** Checks a rank that closes while others wait for its sends or for its signals, as the feature says. */
    public static RankCheck closedPeer(Feature feature) {
        return new ClosedPeerCheck(feature);
    }

    /**
     * Checks a rank that closes while threads of other ranks wait for it on channels that the application has set up.
     */
    public static RankCheck closedChannel(ChannelKind kind) {
        return new ClosedChannelCheck(kind);
    }

    /** Checks a rank that closes while kernels of other ranks wait for it: on channels, or in windows. */
    public static RankCheck closedKernels(Feature feature) {
        return new ClosedKernelCheck(
                feature == Feature.WINDOWS ? ClosedWindowKernels::make : ClosedChannelKernels::make);
    }

    /** Checks faults in the health of processes. */
    public static RankCheck health() {
        return new HealthCheck();
    }

    /** Checks calls of a signature that is already set up. */
    public static RankCheck knownKinds() {
        return new KnownKindCheck();
    }

    /** Checks calls on streams that they name. */
    public static RankCheck streamsOfCalls() {
        return new StreamOfCallCheck();
    }

    /** Checks memory that ranks register after it was allocated. */
    public static RankCheck registeredMemory() {
        return new RegisteredMemoryCheck();
    }

    /** Checks calls of new sizes, of a class that is set up. */
    public static RankCheck newSizes() {
        return new NewSizesCheck();
    }

    /** Checks such calls on two communicators in crossed order. */
    public static RankCheck crossedSizes() {
        return new CrossedSizesCheck();
    }

    /** Checks buffers at different locations. */
    public static RankCheck places() {
        return new PlacesCheck(false);
    }

    /** Checks buffers of 0 bytes at different locations. */
    public static RankCheck emptyPlaces() {
        return new PlacesCheck(true);
    }

    /** Checks algorithms that ranks choose. */
    public static RankCheck choice() {
        return new ChoiceCheck();
    }

    /** Checks hints without a meaning, where they are refused. */
    public static RankCheck strictHints() {
        return new HintsCheck(true);
    }

    /** Checks hints without a meaning, where they are ignored. */
    public static RankCheck otherHints() {
        return new HintsCheck(false);
    }

    /** Checks empty sends, and sends of a rank to itself. */
    public static RankCheck emptyMessages() {
        return new EmptyMessagesCheck();
    }

    /** Checks sends and receives in memory of all kinds. */
    public static RankCheck anyMemory() {
        return new AnyMemoryCheck();
    }

    /** Checks sends and receives on unused communicators. */
    public static RankCheck lanes() {
        return new LanesCheck();
    }

    /** Checks the memory of windows. */
    public static RankCheck windowMemory() {
        return new WindowMemoryCheck();
    }

    /** Checks that survivors continue in another communicator, without newcomers. */
    public static RankCheck reconfigure() {
        return new ReconfigureCheck();
    }
}
