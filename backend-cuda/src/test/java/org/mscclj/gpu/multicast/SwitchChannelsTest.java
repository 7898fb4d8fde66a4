package org.mscclj.gpu.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.cuda.standin.ChildJvm;

/**
 * Switch channels with multicast addresses give the results of those without, bit by bit, on emulated GPUs: there a
 * switch combines members in the order of ranks.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SwitchChannelsTest {
    private static final String EQUAL = " equal, by [1-9][0-9]* accesses";

    /** Bytes of a unit, of less than a unit, of many units, and of more than a round; and odd addresses. */
    private static final List<String> SIZES =
            List.of("4:0", "1:0", "7:0", "1000:0", "1001:1", "1001:3", "4099:2", "70001:0");

    @BeforeAll
    static void requireEmulation() throws IOException, InterruptedException {
        EmulatedDriver.require();
    }

    private static List<String> run(int ranks, Map<String, String> variables, List<String> arguments) {
        List<String> all = new ArrayList<>(List.of(Integer.toString(ranks)));
        all.addAll(arguments);
        List<String> said = new ArrayList<>();
        try (ChildJvm vm = EmulatedDriver.start(SwitchCalls.class, ranks, variables, all.toArray(String[]::new))) {
            for (String line = vm.hear(); !line.equals("end"); line = vm.hear()) {
                said.add(line);
            }
        }
        return said;
    }

    /** All calls have equal results. Returns how many of them have used multicast addresses. */
    private static long equal(
            int ranks, int blocks, SwitchPlans plan, Map<String, String> variables, List<String> calls) {
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(blocks), plan.name()));
        arguments.addAll(calls);
        List<String> said = run(ranks, variables, arguments);
        assertEquals(calls.size(), said.size());
        for (int i = 0; i < calls.size(); i++) {
            assertTrue(said.get(i).startsWith(calls.get(i) + " equal, by "), said.get(i));
        }
        return said.stream().filter(line -> line.matches(".*" + EQUAL)).count();
    }

    private static List<String> calls(String typeAndOperation, String packets) {
        return SIZES.stream()
                .map(size -> typeAndOperation + ":" + size + packets)
                .toList();
    }

    /** A switch loads and stores each unit once. */
    @Test
    void everyUnitIsReducedOnceAndStoredOnce() {
        assertEquals(
                List.of("FLOAT32:SUM:1024:0 equal, by 512 accesses", "FLOAT32:PRODUCT:1024:0 equal, by 256 accesses"),
                run(2, Map.of(), List.of("1", "SCRATCH", "FLOAT32:SUM:1024:0", "FLOAT32:PRODUCT:1024:0")));
    }

    @ParameterizedTest
    @CsvSource({"2,2", "3,1", "4,2", "8,1"})
    void anyNumberOfRanksReducesAnySize(int ranks, int blocks) {
        long used = equal(ranks, blocks, SwitchPlans.SCRATCH, Map.of(), calls("FLOAT16:SUM", ""));
        assertTrue(used >= 6, () -> used + " calls used multicast addresses");
    }

    /** Units of 4, 8 and 16 bytes, and none. */
    @Test
    void unitsOfAnySizeAreReduced() {
        List<String> calls = Stream.of(
                        "INT32:MIN",
                        "UINT32:SUM",
                        "UINT64:MAX",
                        "FLOAT64:SUM",
                        "UINT8:BXOR",
                        "BFLOAT16:MAX",
                        "INT16:SUM")
                .flatMap(one -> Stream.of(one + ":1000:0", one + ":1003:1"))
                .toList();
        assertEquals(calls.size(), equal(2, 1, SwitchPlans.SCRATCH, Map.of(), calls));
    }

    /** One address cannot reach the second halves of all members, so none is used. */
    @Test
    void halvesAtUnequalPositionsHaveNoAddress() {
        List<String> calls = List.of("INT32:NOP:1000:0", "INT32:NOP:1001:0");
        assertEquals(0, equal(3, 2, SwitchPlans.UNEQUAL_HALVES, Map.of(), calls));
    }

    /** Switches reduce fp8 from sm_100 on, in float16. */
    @Test
    void smallFloatsAreReducedWhereTheArchitectureHasThem() {
        List<String> calls = List.of("FLOAT8_E4M3:SUM:1024:0", "FLOAT8_E5M2:SUM:1024:0", "FLOAT8_E4M3:MAX:1024:0");
        List<String> blackwell = run(2, Map.of("STANDIN_ARCHITECTURE", "100"), ofScratch(calls));
        List<String> hopper = run(2, Map.of(), ofScratch(calls));
        assertEquals(calls.get(0) + " equal, by 128 accesses", blackwell.get(0));
        assertEquals(calls.get(1) + " equal, by 128 accesses", blackwell.get(1));
        assertEquals(calls.get(2) + " equal, by 64 accesses", blackwell.get(2), "NaN could be lost");
        assertEquals(calls.stream().map(call -> call + " equal, by 64 accesses").toList(), hopper);
    }

    private static List<String> ofScratch(List<String> calls) {
        return Stream.concat(Stream.of("1", "SCRATCH"), calls.stream()).toList();
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(strings = {"SUM", "MIN", "BXOR"})
    void everyTypeIsReduced(String operation) {
        List<String> calls = Stream.of(DataType.values())
                .filter(type -> !operation.startsWith("B") || !type.isFloat())
                .flatMap(type -> Stream.of(":1000:0", ":333:1").map(size -> type.name() + ":" + operation + size))
                .toList();
        assertEquals(calls.size(), equal(3, 1, SwitchPlans.SCRATCH, Map.of(), calls));
    }

    /** Buffers at positions of the group that are not its start, and the same in each thread of a block. */
    @ParameterizedTest
    @CsvSource({"INPUT,4,1", "INPUT,3,3", "OUTPUT,2,1", "OUTPUT,3,1", "PIPELINE,2,1", "PIPELINE,3,3"})
    void buffersOfCallersAreBound(SwitchPlans plan, int ranks, int threads) {
        String operation = plan.gathers() ? "FLOAT32:NOP" : "FLOAT32:SUM";
        long used = equal(ranks, 2, plan, Map.of("EMULATED_THREADS", Integer.toString(threads)), calls(operation, ""));
        assertTrue(used >= 5, () -> used + " calls used multicast addresses");
    }

    /** Halves of scratch take turns, so calls of both formats follow each other in them. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void packetsAreStoredByGroups(int ranks) {
        List<String> calls = Stream.of(":LL8", ":LL16", ":LL8")
                .flatMap(packets -> calls("INT16:NOP", packets).stream())
                .toList();
        assertEquals(calls.size(), equal(ranks, 2, SwitchPlans.PACKETS, Map.of(), calls));
    }
}
