package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

class ParentRanksTest {
    private static final ParentRanks RANKS = new ParentRanks("odd", List.of(5, 3, 1));

    @Test
    void aLostRankIsNamedAsTheParents() {
        RankLostException inChild = new RankLostException(2, "engine: rank 2 is lost: it has ended");
        RankLostException told = RANKS.told(inChild);
        assertEquals(1, told.rank());
        assertEquals(
                "rank 1 is lost, which was to be rank 2 of child \"odd\" over ranks [5, 3, 1]: " + inChild.getMessage(),
                told.getMessage());
        assertSame(inChild, told.getCause());
    }

    @Test
    void missingRanksAreNamedAsTheParents() {
        OperationTimeoutException inChild = new OperationTimeoutException("late", List.of(0, 1));
        OperationTimeoutException told = RANKS.told(inChild, List.of(5, 3));
        assertEquals(List.of(3, 5), told.missingRanks());
        assertEquals(
                "ranks [3, 5] are missing, which were to be ranks [1, 0] of child \"odd\" over ranks [5, 3, 1]: late",
                told.getMessage());
        assertSame(inChild, told.getCause());
    }

    @Test
    void aRankOfTheParentAloneMayBeToBlame() {
        OperationTimeoutException told = RANKS.told(new OperationTimeoutException("late", List.of(1)), List.of(4));
        assertEquals(List.of(4), told.missingRanks());
        assertEquals(
                "ranks [3] are missing, which were to be ranks [1] of child \"odd\" over ranks [5, 3, 1]: late;"
                        + " ranks [4] keep them waiting",
                told.getMessage());
    }
}
