package org.mscclj.conformance.rank.call;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of calls. */
public final class CallChecks {
    private CallChecks() {}

    /** Checks calls of a signature that is already set up. */
    public static RankCheck knownKinds() {
        return new KnownKindCheck();
    }

    /** Checks memory that ranks register after it was allocated. */
    public static RankCheck registeredMemory() {
        return new RegisteredMemoryCheck();
    }

    /** Checks such calls on two communicators in crossed order. */
    public static RankCheck crossedSizes() {
        return new CrossedSizesCheck();
    }

    /** Checks buffers of 0 bytes at different locations. */
    public static RankCheck emptyPlaces() {
        return new PlacesCheck(true);
    }

    /** Checks hints without a meaning, where they are refused. */
    public static RankCheck strictHints() {
        return new HintsCheck(true);
    }

    /** Checks calls of new sizes, of a class that is set up. */
    public static RankCheck newSizes() {
        return new NewSizesCheck();
    }

    /** Checks the first call of a class that is set up by a warm-up. */
    public static RankCheck warmUp() {
        return new WarmUpCheck();
    }

    /** Checks buffers at different locations. */
    public static RankCheck places() {
        return new PlacesCheck(false);
    }

    /** Checks buffers of different alignments. */
    public static RankCheck alignments() {
        return new AlignmentCheck();
    }

    /** Checks algorithms that ranks choose. */
    public static RankCheck choice() {
        return new ChoiceCheck();
    }

    /** Checks hints without a meaning, where they are ignored. */
    public static RankCheck otherHints() {
        return new HintsCheck(false);
    }
}
