package org.mscclj.conformance.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

class RankCommandTest {
    @Test
    void placesAreFilledInEachWord() {
        RankCommand command = RankCommand.parse("  ssh -p 22{rank}  host{node}\tenv RANK={rank}/{node} ");
        assertEquals(List.of("ssh", "-p", "223", "host1", "env", "RANK=3/1"), command.of(3, 1));
    }

    @Test
    void blanksAreNoCommand() {
        assertEquals(RankCommand.NONE, RankCommand.parse(" "));
        assertFalse(RankCommand.NONE.isGiven());
        assertEquals(List.of(), RankCommand.NONE.of(0, 0));
    }
}
