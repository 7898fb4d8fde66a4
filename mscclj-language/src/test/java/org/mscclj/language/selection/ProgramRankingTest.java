package org.mscclj.language.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.preference.ProgramPreference;

/** Which program is tried first at which size, and with how many blocks. */
class ProgramRankingTest {
    private static final ProgramRanking GPU = new ProgramRanking(ProgramPreference.GPU);
    private static final ProgramRanking WITHOUT_LINES = new ProgramRanking(ProgramPreference.GPU.withoutLines());
    private static final ProgramRanking HOST = new ProgramRanking(ProgramPreference.HOST);

    private static ShippedProgram first(ProgramRanking ranking, Collective collective, long bytes, int ranks) {
        return ranking.order(collective, bytes, ranks, true).getFirst();
    }

    /** The last size of a program on GPUs, and the program from the next byte on. */
    @ParameterizedTest
    @CsvSource({
        "ALLREDUCE,2,131072,PACKETS,PACKETS_LL128",
        "ALLREDUCE,2,1048576,PACKETS_LL128,DIRECT",
        "ALLREDUCE,3,65536,PACKETS,PACKETS_TWO_SHOT_LL128",
        "ALLREDUCE,3,1048576,PACKETS_TWO_SHOT_LL128,DIRECT",
        "ALLREDUCE,8,18724,PACKETS,PACKETS_TWO_SHOT_LL128",
        "ALLREDUCE,8,1048576,PACKETS_TWO_SHOT_LL128,DIRECT",
        "ALLGATHER,2,262144,PACKETS,PACKETS_LL128",
        "ALLGATHER,2,2097152,PACKETS_LL128,DIRECT",
        "ALLGATHER,2,16777215,DIRECT,DIRECT_STORE",
        "ALLTOALL,4,174762,PACKETS,PACKETS_LL128",
        "ALLTOALL,4,1398101,PACKETS_LL128,DIRECT",
        "ALLTOALL,2,16777215,DIRECT,DIRECT_STORE",
        "REDUCESCATTER,2,262144,PACKETS,PACKETS_LL128",
        "REDUCESCATTER,2,2097152,PACKETS_LL128,DIRECT",
        "BROADCAST,2,131072,PACKETS,PACKETS_LL128",
        "BROADCAST,4,43690,PACKETS,PACKETS_LL128",
        "BROADCAST,4,349525,PACKETS_LL128,DIRECT",
        "BROADCAST,4,4194303,DIRECT,RELAY"
    })
    void gpusGoFromProgramToProgram(
            Collective collective, int ranks, long bytes, ShippedProgram program, ShippedProgram next) {
        assertEquals(program, first(GPU, collective, bytes, ranks));
        assertEquals(next, first(GPU, collective, bytes + 1, ranks));
        assertTrue(GPU.steps(ranks).contains(bytes + 1), () -> GPU.steps(ranks).toString());
    }

    /** For any number of ranks, although messages of this size are relayed where one rank has all data. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8})
    void largeAllgathersAndAlltoallsAreStored(int ranks) {
        for (Collective collective : List.of(Collective.ALLGATHER, Collective.ALLTOALL)) {
            for (long bytes : new long[] {16 << 20, 1L << 30, 1L << 40}) {
                List<ShippedProgram> order = GPU.order(collective, bytes, ranks, true);
                assertEquals(List.of(ShippedProgram.DIRECT_STORE, ShippedProgram.DIRECT), order.subList(0, 2));
                assertEquals(ShippedProgram.DIRECT, first(HOST, collective, bytes, ranks));
            }
            assertFalse(
                    GPU.order(collective, (16 << 20) - 1, ranks, true).contains(ShippedProgram.DIRECT_STORE),
                    "one byte less");
        }
    }

    /** A ring needs the links between neighbours only. */
    @Test
    void whereLinksServeRingsLargeAllreducesTakeThem() {
        ProgramRanking rings = new ProgramRanking(ProgramPreference.GPU.withRings());
        for (long bytes : new long[] {1 << 20, 1L << 30}) {
            List<ShippedProgram> order = rings.order(Collective.ALLREDUCE, bytes, 8, true);
            assertEquals(List.of(ShippedProgram.RING, ShippedProgram.DIRECT), order.subList(0, 2));
            assertEquals(order.stream().distinct().toList(), order);
        }
        assertTrue(rings.steps(8).contains(1L << 20));
        for (Collective collective : Collective.values()) {
            for (long bytes : new long[] {1 << 10, (1 << 20) - 1}) {
                assertEquals(GPU.order(collective, bytes, 8, true), rings.order(collective, bytes, 8, true));
            }
            assertEquals(GPU.order(collective, 1 << 20, 2, true), rings.order(collective, 1 << 20, 2, true));
        }
        assertEquals(
                GPU.order(Collective.ALLGATHER, 1 << 30, 8, true),
                rings.order(Collective.ALLGATHER, 1 << 30, 8, true),
                "there is no ring for it");
    }

    /** Measured choices know no switch. */
    @Test
    void whereASwitchReducesLargeAllreducesTakeIt() {
        ProgramPreference preference = ProgramPreference.GPU.withSwitch();
        ProgramRanking switched = new ProgramRanking(preference);
        for (int ranks : new int[] {4, 7, 8, 16}) {
            requireSwitch(preference, ranks, true, ranks < 8 ? 2 << 20 : 256 << 10);
            requireSwitch(preference, ranks, false, ranks < 8 ? 16 << 20 : 4 << 20);
        }
        for (int ranks : new int[] {2, 3}) {
            assertEquals(
                    GPU.order(Collective.ALLREDUCE, 1 << 30, ranks, true),
                    switched.order(Collective.ALLREDUCE, 1 << 30, ranks, true));
            assertEquals(
                    ProgramPreference.GPU.table().find(Collective.ALLREDUCE, ranks, true, 1 << 30),
                    preference.table().find(Collective.ALLREDUCE, ranks, true, 1 << 30));
        }
    }

    /** From a size on, and not below, the switch is first. */
    private static void requireSwitch(ProgramPreference preference, int ranks, boolean registered, long least) {
        ProgramRanking switched = new ProgramRanking(preference);
        List<ShippedProgram> order = switched.order(Collective.ALLREDUCE, least, ranks, registered);
        assertEquals(
                List.of(ShippedProgram.MULTICAST_DIRECT, ShippedProgram.MULTICAST, ShippedProgram.DIRECT),
                order.subList(0, 3));
        assertEquals(order.stream().distinct().toList(), order);
        assertTrue(switched.steps(ranks).contains(least));
        assertEquals(
                GPU.order(Collective.ALLREDUCE, least - 1, ranks, registered),
                switched.order(Collective.ALLREDUCE, least - 1, ranks, registered));
        assertTrue(preference
                .table()
                .find(Collective.ALLREDUCE, ranks, registered, least)
                .isEmpty());
        assertEquals(
                ProgramPreference.GPU.table().find(Collective.ALLREDUCE, ranks, registered, least - 1),
                preference.table().find(Collective.ALLREDUCE, ranks, registered, least - 1));
    }

    /** Whatever a plan of lines cannot do, such as a group with other links, the programs behind it can. */
    @Test
    void programsInLinesHaveTheUsualOnesBehindThem() {
        List<ShippedProgram> usual = GPU.order(Collective.BROADCAST, 2 << 20, 2, true);
        for (int ranks : new int[] {2, 4}) {
            List<ShippedProgram> order = GPU.order(Collective.ALLREDUCE, 256 << 10, ranks, false);
            assertEquals(usual, order.subList(1, order.size()));
        }
    }

    @Test
    void withoutLinesNoProgramHasThem() {
        List<ShippedProgram> inLines = List.of(ShippedProgram.PACKETS_LL128, ShippedProgram.PACKETS_TWO_SHOT_LL128);
        for (ProgramRanking ranking : List.of(WITHOUT_LINES, HOST)) {
            for (int ranks : new int[] {2, 3, 8}) {
                for (Collective collective : Collective.values()) {
                    for (long bytes = 1; bytes < 1L << 40; bytes *= 2) {
                        List<ShippedProgram> order = ranking.order(collective, bytes, ranks, true);
                        assertTrue(order.stream().noneMatch(inLines::contains), order::toString);
                    }
                }
            }
        }
        assertEquals(ShippedProgram.PACKETS, first(WITHOUT_LINES, Collective.ALLREDUCE, 128 << 10, 2));
        assertEquals(ShippedProgram.DIRECT, first(WITHOUT_LINES, Collective.ALLREDUCE, (128 << 10) + 1, 2));
        assertEquals(ShippedProgram.DIRECT_STORE, first(WITHOUT_LINES, Collective.ALLGATHER, 16 << 20, 2));
        assertFalse(WITHOUT_LINES.steps(2).contains((1L << 20) + 1));
    }

    /** A block for each 4 KiB, in powers of two: each number of blocks has a kernel of its own. */
    @ParameterizedTest
    @CsvSource({"1,1", "8191,1", "8192,2", "16383,2", "131072,32", "262143,32", "262144,64", "524288,128", "1048576,128"
    })
    void blocksOfProgramsInLines(long bytes, int blocks) {
        for (ShippedProgram program : List.of(ShippedProgram.PACKETS_LL128, ShippedProgram.PACKETS_TWO_SHOT_LL128)) {
            assertEquals(blocks, GPU.blocks(program, ProgramSpec.of(Collective.ALLREDUCE, 2), bytes));
            assertEquals(1, HOST.blocks(program, ProgramSpec.of(Collective.ALLREDUCE, 2), bytes));
        }
    }

    /** Sets of calls are made by the steps: between two of them, nothing may change. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void nothingChangesBetweenSteps(int ranks) {
        for (ProgramRanking ranking : List.of(GPU, WITHOUT_LINES, HOST)) {
            List<Long> steps =
                    Stream.concat(Stream.of(0L), ranking.steps(ranks).stream()).toList();
            for (int i = 0; i < steps.size(); i++) {
                long start = steps.get(i);
                long last = i + 1 < steps.size() ? Math.max(start, steps.get(i + 1) - 1) : 1L << 45;
                for (long bytes : LongStream.of(start, (start + last) / 2, last).toArray()) {
                    for (Collective collective : Collective.values()) {
                        assertEquals(
                                ranking.order(collective, start, ranks, true),
                                ranking.order(collective, bytes, ranks, true),
                                () -> collective + " of " + bytes + " bytes, step " + start);
                        for (ShippedProgram program : ranking.order(collective, start, ranks, true)) {
                            ProgramSpec spec = ProgramSpec.of(collective, ranks);
                            assertEquals(
                                    ranking.blocks(program, spec, start),
                                    ranking.blocks(program, spec, bytes),
                                    () -> program + ", " + bytes + " bytes, step " + start);
                        }
                    }
                }
            }
        }
    }
}
