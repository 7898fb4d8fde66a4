package org.mscclj.gpu.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.backend.cuda.standin.ChildJvm;

/** Multicast objects whose members are processes, on emulated GPUs: kernels reach the memory of all. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupsOfProcessesTest {
    private static final long UNIT = MulticastObject.GRANULARITY;
    private static final String NOTHING = "left 0";

    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedDriver.require();
    }

    /** Members of a group, of which the first has created it. */
    private static List<ChildJvm> members(int count, Map<String, String> ofLast) {
        List<ChildJvm> members = new ArrayList<>();
        for (int gpu = 0; gpu < count; gpu++) {
            members.add(EmulatedDriver.start(
                    GroupMember.class, count, gpu == count - 1 ? ofLast : Map.of(), Integer.toString(gpu)));
        }
        members.forEach(member -> assertEquals("ready", member.hear()));
        String made = ask(members.getFirst(), "create " + count);
        members.stream().skip(1).forEach(member -> assertEquals("ok", ask(member, "import " + made)));
        return members;
    }

    private static String ask(ChildJvm member, String line) {
        member.say(line);
        return member.hear();
    }

    private static void all(List<ChildJvm> members, String line) {
        members.forEach(member -> assertEquals("ok", ask(member, line)));
    }

    /** Each member binds another part of its memory, at the same position. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void storesReachAllAndLoadsReduceAll(int count) {
        List<ChildJvm> members = members(count, Map.of());
        try {
            all(members, "add");
            for (int i = 0; i < count; i++) {
                assertEquals("ok", ask(members.get(i), "bind " + UNIT + " " + i * UNIT + " " + UNIT));
            }
            all(members, "map");
            for (int i = 0; i < count; i++) {
                assertEquals("ok", ask(members.get(i), "store " + (UNIT + 4 * i) + " " + (10 + i)));
            }
            for (int i = 0; i < count; i++) {
                assertEquals("10", ask(members.get(i), "load " + i * UNIT));
                assertEquals(Integer.toString(9 + count), ask(members.get(i), "load " + (i * UNIT + 4 * (count - 1))));
                assertEquals(Integer.toString(10 * count), ask(members.get(i), "reduce " + UNIT));
            }
            all(members, "close");
            members.forEach(member -> assertEquals(NOTHING, ask(member, "end")));
        } finally {
            members.forEach(ChildJvm::close);
        }
    }

    /** What a member has bound stays bound until the last member has left. */
    @Test
    void membersLeaveOneByOne() {
        List<ChildJvm> members = members(2, Map.of());
        try {
            all(members, "add");
            all(members, "bind 0 0 " + UNIT);
            all(members, "map");
            assertEquals("ok", ask(members.get(1), "store 0 21"));
            assertEquals("ok", ask(members.get(1), "leave"));
            assertEquals("42", ask(members.get(0), "reduce 0"));
            assertEquals("ok", ask(members.get(0), "store 0 5"));
            assertEquals("5", ask(members.get(1), "load 0"));
            all(members.subList(0, 1), "leave");
            members.forEach(member -> assertEquals(NOTHING, ask(member, "end")));
        } finally {
            members.forEach(ChildJvm::close);
        }
    }

    /** Where a member has bound nothing, the kernel that asks has a fault. */
    @Test
    void whatIsNotBoundIsAFault() {
        List<ChildJvm> members = members(2, Map.of());
        try {
            all(members, "add");
            assertEquals("ok", ask(members.get(0), "bind 0 0 " + 2 * UNIT));
            assertEquals("ok", ask(members.get(1), "bind 0 0 " + UNIT));
            all(members, "map");
            assertEquals("0", ask(members.get(0), "reduce " + (UNIT - 4)));
            assertEquals("fault 700", ask(members.get(0), "reduce " + UNIT));
        } finally {
            members.forEach(ChildJvm::close);
        }
    }

    /** As NVIDIA documents it, no member binds before all are there. */
    @Test
    void bindingWaitsForTheLastDevice() {
        List<ChildJvm> members = members(2, Map.of());
        try {
            assertEquals("ok", ask(members.get(0), "add"));
            members.get(0).say("bind 0 0 " + UNIT);
            assertEquals("ok", ask(members.get(1), "add"));
            assertEquals("ok", members.get(0).hear());
            all(members, "close");
            members.forEach(member -> assertEquals(NOTHING, ask(member, "end")));
        } finally {
            members.forEach(ChildJvm::close);
        }
    }

    /** A member that is killed has left zeros where it had bound memory, and the others can close. */
    @ParameterizedTest
    @CsvSource({
        "cuMulticastBindAddr, fault 700",
        "cuMemMap/multicast, 0",
        "cuMulticastUnbind, 0",
        "cuMemUnmap/multicast, fault 700",
        "cuMemRelease/multicast, fault 700"
    })
    void othersGoOnWithoutAMemberThatIsKilled(String function, String loaded) {
        List<ChildJvm> members = members(2, Map.of("STANDIN_KILL", function + ":0"));
        try {
            all(members, "add");
            assertEquals("ok", ask(members.get(0), "bind 0 0 " + UNIT));
            assertEquals("ok", ask(members.get(0), "map"));
            IllegalStateException ended = assertThrows(IllegalStateException.class, () -> {
                for (String line : List.of("bind 0 0 " + UNIT, "map", "close")) {
                    assertEquals("ok", ask(members.get(1), line));
                }
            });
            assertTrue(String.valueOf(ended.getMessage()).endsWith("137"), ended::getMessage);
            assertEquals(loaded, ask(members.get(0), "reduce 0"));
            if (!loaded.startsWith("fault")) {
                assertEquals("ok", ask(members.get(0), "close"));
                assertEquals(NOTHING, ask(members.get(0), "end"));
            }
        } finally {
            members.forEach(ChildJvm::close);
        }
    }

    /** A call of a process can be made to fail from the outside. */
    @Test
    void callsFailWhereATestWantsIt() {
        List<ChildJvm> members = members(2, Map.of("STANDIN_FAIL", "cuMulticastAddDevice:0:800"));
        try {
            assertEquals("ok", ask(members.get(0), "add"));
            assertEquals("cuMulticastAddDevice returns 800", ask(members.get(1), "add"));
            assertEquals(
                    2,
                    IntStream.range(0, 2)
                            .filter(i -> ask(members.get(i), "close").equals("ok"))
                            .count());
        } finally {
            members.forEach(ChildJvm::close);
        }
    }
}
