package org.mscclj.conformance.rank.message;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of point-to-point. */
public final class MessageChecks {
    private MessageChecks() {}

    /** Checks that data between all ranks arrives. */
    public static RankCheck messages() {
        return new MessagesCheck();
    }

    /** Checks that a timeout names a rank that sends late. */
    public static RankCheck missingSender() {
        return new MissingSenderCheck();
    }

    /** Checks a send and its receive that differ in size, where no rank joins them. */
    public static RankCheck unjoinedSizes() {
        return new UnjoinedSizesCheck();
    }

    /** Checks empty sends, and sends of a rank to itself. */
    public static RankCheck emptyMessages() {
        return new EmptyMessagesCheck();
    }

    /** Checks sends and receives on unused communicators. */
    public static RankCheck lanes() {
        return new LanesCheck();
    }

    /** Checks that sends are received in their order. */
    public static RankCheck messageOrder() {
        return new MessageOrderCheck();
    }

    /** Checks a send and its receive that differ in size. */
    public static RankCheck unequalSizes() {
        return new UnequalSizesCheck();
    }

    /** Checks sends and receives in graphs. */
    public static RankCheck messageReplay() {
        return new MessageReplayCheck();
    }

    /** Checks sends and receives in memory of all kinds. */
    public static RankCheck anyMemory() {
        return new AnyMemoryCheck();
    }
}
