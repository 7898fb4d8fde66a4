package org.mscclj.conformance.group;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.DataType;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankVerdict;
import org.mscclj.conformance.scenario.GroupKind;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.scenario.TestCase;

class GroupPoolTest {
    private static final RankCheck NOTHING = _ -> {
        throw new AssertionError("these groups have no ranks");
    };

    private final List<String> events = new ArrayList<>();

    @Test
    void groupsOfThreadsMakeRoomForOthers() {
        try (GroupPool pool = new GroupPool(this::open, Mode.THREADS)) {
            run(pool, 5, GroupKind.USUAL);
            run(pool, 3, GroupKind.USUAL);
            run(pool, 4, GroupKind.COMPARING); // 12: all stay
            run(pool, 5, GroupKind.USUAL); // so 3 was used least recently
            assertEquals(List.of("open 5 USUAL", "open 3 USUAL", "open 4 COMPARING"), events);
            events.clear();
            run(pool, 3, GroupKind.STRICT);
            assertEquals(List.of("close 3 USUAL", "open 3 STRICT"), events);
            events.clear();
            run(pool, 16, GroupKind.USUAL); // more than all may have: by itself
            assertEquals(List.of("close 4 COMPARING", "close 5 USUAL", "close 3 STRICT", "open 16 USUAL"), events);
            events.clear();
        }
        assertEquals(List.of("close 16 USUAL"), events);
    }

    @Test
    void groupsOfProcessesStay() {
        try (GroupPool pool = new GroupPool(this::open, Mode.PROCESSES)) {
            run(pool, 8, GroupKind.USUAL);
            run(pool, 7, GroupKind.USUAL);
            run(pool, 8, GroupKind.USUAL);
            assertEquals(List.of("open 8 USUAL", "open 7 USUAL"), events);
        }
    }

    private static void run(GroupPool pool, int world, GroupKind kind) {
        TestCase test = TestCase.of("spec0101_everyCount", Mode.THREADS, 1, DataType.FLOAT32, 1)
                .world(world);
        assertEquals(List.of(), pool.run(test, NOTHING, kind, false));
    }

    private RankGroup open(Mode mode, int world, GroupKind kind) {
        events.add("open " + world + " " + kind);
        return new RankGroup() {
            @Override
            public List<RankVerdict> run(TestCase test, RankCheck check) {
                return List.of();
            }

            @Override
            public boolean isUsable() {
                return true;
            }

            @Override
            public void close() {
                events.add("close " + world + " " + kind);
            }
        };
    }
}
