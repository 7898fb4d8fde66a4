package org.mscclj.conformance.rank.abort;

import java.time.Duration;
import java.util.Optional;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.spi.Feature;

/** The checks of aborts. */
public final class AbortChecks {
    /** The pause before an abort in which the other ranks begin to wait. */
    static final Duration UNTIL_ALL_WAIT = Duration.ofMillis(20);

    private AbortChecks() {}

    /** Checks that an abort ends what is in flight. */
    public static RankCheck abort() {
        return new AbortCheck();
    }

    /** Checks aborts during every operation that needs this feature. */
    public static RankCheck abortedOperations(Feature feature) {
        return new AbortedOperationsCheck(Optional.of(feature));
    }

    /** Checks the reason why a communicator has ended. */
    public static RankCheck failure() {
        return new FailureCheck();
    }

    /** Checks two aborts, one after the other. */
    public static RankCheck firstReason() {
        return new FirstReasonCheck();
    }

    /** Checks aborts during every operation that needs no feature. */
    public static RankCheck abortedOperations() {
        return new AbortedOperationsCheck(Optional.empty());
    }

    /** Checks aborts during every call that waits for other ranks while it sets something up or ends it. */
    public static RankCheck abortedSetUp() {
        return new AbortedSetUpCheck();
    }

    /** Checks futures of operations that are aborted. */
    public static RankCheck abortedFutures() {
        return new AbortedFutureCheck();
    }
}
