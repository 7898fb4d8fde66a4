package org.mscclj.runtime.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.Quorum;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.agreement.Stands;

class LostMembersTest {
    private static final Quorum QUORUM = Quorum.of("again", List.of(2, 0), 1);

    @Test
    void aLossSinceTheCallIsToldAndAnEarlierOneIsNot() {
        Stands stands = new Stands();
        stands.lost(1, "its process has ended");
        LostMembers members = LostMembers.from(QUORUM, stands);
        members.run();
        stands.lost(2, "its process has ended");
        RankLostException e = assertThrows(RankLostException.class, members::run);
        assertEquals(0, e.rank());
        LostMembers.from(QUORUM, stands).run();
        LostMembers.from(Quorum.of("new", List.of(Quorum.NEWCOMER, 0)), stands).run();
    }
}
