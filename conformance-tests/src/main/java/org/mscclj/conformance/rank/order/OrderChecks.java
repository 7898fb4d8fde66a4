package org.mscclj.conformance.rank.order;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of order. */
public final class OrderChecks {
    private OrderChecks() {}

    /** Checks an operation that reads what the previous operation writes. */
    public static RankCheck order() {
        return new OrderCheck();
    }

    /** Launches many times in a row. */
    public static RankCheck load() {
        return new LoadCheck();
    }

    /** Checks that barriers of streams wait for all ranks. */
    public static RankCheck barriers() {
        return new BarrierCheck();
    }

    /** Checks that buffers in use cannot be closed. */
    public static RankCheck bufferInUse() {
        return new BufferInUseCheck();
    }

    /** Checks the last launch of a prepared operation. */
    public static RankCheck lastLaunch() {
        return new LastLaunchCheck();
    }

    /** Checks calls whose sizes change each time. */
    public static RankCheck changingSizes() {
        return new ChangingSizesCheck();
    }

    /** Uses two communicators at once. */
    public static RankCheck twoCommunicators() {
        return new TwoCommunicatorsCheck();
    }

    /** Orders a stream after an operation. */
    public static RankCheck await() {
        return new AwaitCheck();
    }

    /** Checks barriers of streams in graphs. */
    public static RankCheck barrierReplay() {
        return new BarrierReplayCheck();
    }

    /** Checks futures of operations. */
    public static RankCheck futures() {
        return new FutureCheck();
    }

    /** Checks that closed communicators release their resources. */
    public static RankCheck leaks() {
        return new LeakCheck();
    }

    /** Checks calls on streams that they name. */
    public static RankCheck streamsOfCalls() {
        return new StreamOfCallCheck();
    }
}
