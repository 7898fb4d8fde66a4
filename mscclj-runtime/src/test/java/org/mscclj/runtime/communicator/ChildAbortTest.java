package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.mscclj.spi.engine.AbortCause;
import org.mscclj.spi.engine.AbortFlag;

class ChildAbortTest {
    private final AbortFlag parent = new AbortFlag();
    private final AbortFlag child = new AbortFlag();

    private void link() {
        parent.whenSet(new ChildAbort(parent, child, List.of(3, 1)));
    }

    @Test
    void anAbortOfTheParentAbortsTheChild() {
        link();
        parent.set("on purpose");
        assertEquals(Optional.of("its parent ended while it was set up: on purpose"), child.reason());
        assertEquals(OptionalInt.empty(), child.lostRank());
        assertEquals(Optional.empty(), child.missingRanks());
    }

    @Test
    void aFailureOfTheParentIsOneOfTheChild() {
        link();
        parent.fail("its device has failed");
        assertEquals(Optional.of(AbortCause.FAILED), child.cause());
        assertEquals(Optional.of("its parent ended while it was set up: its device has failed"), child.reason());
    }

    @Test
    void aLostRankIsNamedAsTheChildsOwn() {
        link();
        parent.lose(1, "it has ended");
        assertEquals(OptionalInt.of(1), child.lostRank());
    }

    @Test
    void aLostRankThatIsNoMemberIsNotNamed() {
        link();
        parent.lose(0, "it has ended");
        assertTrue(child.isSet());
        assertEquals(OptionalInt.empty(), child.lostRank());
    }

    @Test
    void lateRanksAreNamedAsTheChildsOwn() {
        parent.expire("late", List.of(0, 3));
        link();
        assertEquals(Optional.of(List.of(0)), child.missingRanks());
    }
}
