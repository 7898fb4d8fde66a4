package org.mscclj.conformance.rank.result;

import org.mscclj.conformance.rank.RankCheck;

/** The checks of results. */
public final class ResultChecks {
    private static final int RELAUNCHES = 5;

    private ResultChecks() {}

    /** Compares one launch with the definition of the collective. */
    public static RankCheck result() {
        return new DataCheck(1);
    }

    /** Repeats a call on equal data. */
    public static RankCheck sameBits() {
        return new SameBitsCheck();
    }

    /** Checks variable-size collectives that move data. */
    public static RankCheck partMoves() {
        return new PartMovesCheck();
    }

    /** Checks factors of premultiplied sums that differ by rank. */
    public static RankCheck factorsOfRanks() {
        return new FactorsOfRanksCheck();
    }

    /** Launches one prepared operation several times, each time on new data. */
    public static RankCheck relaunches() {
        return new DataCheck(RELAUNCHES);
    }

    /** Makes large and small calls in turns. */
    public static RankCheck alternatingSizes() {
        return new AlternatingSizesCheck();
    }

    /** Checks variable-size reductions. */
    public static RankCheck partReductions() {
        return new PartReductionCheck();
    }

    /** Checks factors of premultiplied sums in memory. */
    public static RankCheck factorInMemory() {
        return new FactorInMemoryCheck();
    }
}
