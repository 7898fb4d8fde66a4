package org.mscclj.transport.ib.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.transport.ib.ffm.Gid;

class GidChoiceTest {
    private static final Gid UNUSED = new Gid(0, 0);
    private static final Gid LINK_LOCAL = new Gid(0xfe80L << 48, 5);
    private static final Gid GLOBAL = new Gid(0x2001L << 48, 5);
    private static final Gid IPV4 = new Gid(0, 0xffff_0a00_0002L);

    private record Entry(Gid gid, String type) {}

    private static Optional<Integer> best(Entry... entries) {
        List<Entry> table = List.of(entries);
        return GidChoice.best(
                        table.size(),
                        index -> Optional.of(table.get(index).gid()),
                        index -> Optional.of(table.get(index).type()))
                .map(GidChoice.Entry::index);
    }

    @Test
    void ipv4OfVersion2IsBest() {
        assertEquals(
                Optional.of(3),
                best(
                        new Entry(LINK_LOCAL, "IB/RoCE v1"),
                        new Entry(LINK_LOCAL, "RoCE v2"),
                        new Entry(IPV4, "IB/RoCE v1"),
                        new Entry(IPV4, "RoCE v2"),
                        new Entry(GLOBAL, "RoCE v2")));
    }

    @Test
    void version2ComesBeforeTheFamily() {
        assertEquals(Optional.of(1), best(new Entry(IPV4, "IB/RoCE v1"), new Entry(GLOBAL, "RoCE v2")));
    }

    @Test
    void theFirstOfEqualOnesIsTaken() {
        assertEquals(Optional.of(0), best(new Entry(IPV4, "RoCE v2"), new Entry(IPV4, "RoCE v2")));
    }

    @Test
    void unusedEntriesAreNotTaken() {
        assertTrue(best(new Entry(UNUSED, "RoCE v2")).isEmpty());
        assertTrue(
                GidChoice.best(2, _ -> Optional.empty(), _ -> Optional.empty()).isEmpty());
    }

    @Test
    void gidsAreWrittenAsAddresses() {
        assertEquals("10.0.0.2", IPV4.toString());
        assertEquals("fe80:0:0:0:0:0:0:5", LINK_LOCAL.toString());
    }
}
