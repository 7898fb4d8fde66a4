package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;

class ParentRanksTest {
    private static final ParentRanks RANKS = new ParentRanks("odd", List.of(5, 3, 1));

    @Test
    void aLostRankIsNamedAsTheParents() {
        RankLostException inChild = new RankLostException(2, "engine: rank 2 is lost: it has ended");
        RankLostException told = assertThrows(
                RankLostException.class,
                () -> RANKS.tell(() -> {
                    throw inChild;
                }));
        assertEquals(1, told.rank());
        assertEquals(
                "rank 1 is lost, which was to be rank 2 of child \"odd\" over ranks [5, 3, 1]: " + inChild.getMessage(),
                told.getMessage());
        assertSame(inChild, told.getCause());
    }

    @Test
    void missingRanksAreNamedAsTheParents() {
        OperationTimeoutException told = assertThrows(
                OperationTimeoutException.class,
                () -> RANKS.tell(() -> {
                    throw new OperationTimeoutException("late", List.of(0, 1));
                }));
        assertEquals(List.of(3, 5), told.missingRanks());
        assertEquals(
                "ranks [5, 3] are missing, which were to be ranks [0, 1] of child \"odd\" over ranks [5, 3, 1]: late",
                told.getMessage());
    }

    @Test
    void nothingElseIsTouched() {
        AbortedException aborted = new AbortedException("on purpose");
        assertSame(
                aborted,
                assertThrows(
                        AbortedException.class,
                        () -> RANKS.tell(() -> {
                            throw aborted;
                        })));
        assertEquals("child", RANKS.tell(() -> "child"));
    }
}
