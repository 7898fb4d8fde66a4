package org.mscclj.device.kernels.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.type.Collective;
import org.mscclj.device.kernels.source.DeviceLibrary;
import org.mscclj.language.AlgoSpec;
import org.mscclj.language.Buffer;
import org.mscclj.language.CollectiveProgram;
import org.mscclj.language.ProgramCollective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.fusion.Lines;
import org.mscclj.plan.fusion.OperandRange;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.spi.engine.ContextLayout;

/** Launches whose packets are lines of 128 bytes: where the lines lie, and which launches have them. */
class FusedLinesTest {
    private static final int PLANS = 30;

    /** The least payload of a block in lines. */
    private static final long LEAST = 576;

    /** Payload of the lines that a warp sends at once, in bytes, and their own bytes. */
    private static final long UNIT = 480;

    private static final long UNIT_OF_LINES = 512;

    private static final List<Collective> COLLECTIVES =
            List.of(Collective.ALLREDUCE, Collective.REDUCESCATTER, Collective.ALLGATHER, Collective.ALLTOALL);

    /**
     * The packets of an operand that a block sends or awaits.
     *
     * @param rank the rank of the block
     * @param start address of the first byte
     * @param end address behind the last byte
     */
    private record Area(int rank, OperandRange operand, BlockShare share, long start, long end) {
        boolean isOwn() {
            return rank == operand.rank();
        }

        /** The same packets, as their owner sees them. */
        Area ofOwner() {
            return new Area(operand.rank(), operand, share, start, end);
        }
    }

    /** A plan with a message, as all ranks see it. */
    private record Message(Plan plan, PlanCode code, long sliceBytes, long slotBytes, String what) {
        static Message random(Random random, String what) {
            boolean twoShot = random.nextInt(4) == 0;
            int ranks = 2 + random.nextInt(twoShot ? 5 : 7);
            Collective collective =
                    twoShot ? Collective.ALLREDUCE : COLLECTIVES.get(random.nextInt(COLLECTIVES.size()));
            int most = Math.min(128, 512 >> ranks); // plans of many blocks and ranks take long to build
            ProgramSpec spec = ProgramSpec.of(collective, ranks)
                    .blocks(1 + random.nextInt(most))
                    .inPlace(random.nextBoolean());
            Plan plan = (twoShot ? ShippedProgram.PACKETS_TWO_SHOT_LL128 : ShippedProgram.PACKETS_LL128).plan(spec);
            long sliceBytes =
                    (1 + random.nextInt(8)) * (long) Math.scalb(1 + random.nextDouble(), 7 + random.nextInt(11));
            long slotBytes = 64L * (1 + random.nextInt(1 << (4 + random.nextInt(8))));
            return new Message(
                    plan,
                    PlanCode.of(plan),
                    sliceBytes,
                    slotBytes,
                    what + ", " + plan.label() + ", slices of " + sliceBytes + " bytes, slots of " + slotBytes);
        }

        @Override
        public String toString() {
            return what;
        }

        FusedLaunch launch(int rank) {
            return FusedLaunch.of(code, plan, rank, sliceBytes, slotBytes, 0);
        }

        RoundLayout layout(long round) {
            return launch(0).launch().geometry().round(round);
        }

        /** The shortest payload of a block. */
        long shortest(long round) {
            int group = IntStream.range(0, plan.worldSize())
                    .boxed()
                    .flatMap(rank -> code.fused().orElseThrow().blocks(rank).stream())
                    .mapToInt(block -> block.moves().share().groupSize())
                    .max()
                    .orElseThrow();
            long chunk = layout(round).chunkBytes();
            return IntStream.range(0, group)
                    .mapToLong(member -> RoundLayout.share(chunk, new BlockShare(member, group), plan.bufferAlignment())
                            .length())
                    .min()
                    .orElseThrow();
        }
    }

    /** The areas of all operands in packets of all blocks of a rank. */
    private static List<Area> areas(FusedLaunch launch, FusedTable table) {
        List<Area> areas = new ArrayList<>();
        List<FusedBlock> blocks = launch.fused().blocks(launch.context().rank());
        for (int b = 0; b < blocks.size(); b++) {
            FusedBlock block = blocks.get(b);
            int record = b * launch.fused().recordWords();
            long units = table.words()[record] & 0xffff_ffff_ffffL;
            long bytes = units * (table.inLines() ? UNIT_OF_LINES : 16);
            int at = record
                    + FusedBlock.OWN_WORDS
                    + FusedBlock.PLAIN_WORDS * block.plain().size();
            for (OperandRange operand : block.packets()) {
                long start = table.words()[at++];
                areas.add(
                        new Area(launch.context().rank(), operand, block.moves().share(), start, start + bytes));
            }
        }
        return areas;
    }

    private static void check(Message message, long round) {
        boolean inLines = message.shortest(round) >= LEAST;
        int ranks = message.plan().worldSize();
        List<Area> all = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            FusedLaunch launch = message.launch(rank);
            FusedTable table = launch.table(round).orElseThrow(() -> new AssertionError(message + " is not fused"));
            assertEquals(inLines, table.inLines(), () -> message + ", round " + round);
            all.addAll(areas(launch, table));
        }
        for (Area area : all) {
            int owner = area.operand().rank();
            long half = ContextLayout.halfBytes(message.plan(), owner, message.slotBytes());
            long first = FusedLaunch.scratch(owner) + (inLines ? half / 2 : 0);
            assertEquals(0, area.start() % (inLines ? 128 : 16), () -> message + ": " + area);
            assertTrue(first <= area.start() && area.end() <= first + half / 2, () -> message + ": " + area);
        }
        all.removeIf(area -> area.start() == area.end()); // blocks without a share
        List<Area> places = all.stream()
                .map(Area::ofOwner)
                .distinct() // the sender and the receiver of packets have the same place
                .sorted(Comparator.comparingLong(Area::start))
                .toList();
        Set<Area> received = all.stream().filter(Area::isOwn).collect(Collectors.toSet());
        assertEquals(Set.copyOf(places), received, () -> message + ": packets are elsewhere for their receivers");
        for (int i = 1; i < places.size(); i++) {
            Area before = places.get(i - 1);
            Area area = places.get(i);
            assertTrue(before.end() <= area.start(), () -> message + ": " + before + " overlaps " + area);
        }
    }

    @Test
    void linesOfDifferentBlocksAndSlotsAreApart() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int launchesInLines = 0;
        int launches = 0;
        for (int i = 0; i < PLANS; i++) {
            Message message = Message.random(random, "seed " + seed + ", plan " + i);
            long rounds = message.launch(0).launch().geometry().rounds();
            for (long round : new long[] {0, rounds / 2, rounds - 1}) {
                check(message, round);
                launches++;
                launchesInLines += message.shortest(round) >= LEAST ? 1 : 0;
            }
        }
        assertTrue(launchesInLines > 0 && launchesInLines < launches, launchesInLines + " of " + launches);
    }

    private static Message allReduce(int blocks, long bytes) {
        Plan plan = ShippedProgram.PACKETS_LL128.plan(
                ProgramSpec.of(Collective.ALLREDUCE, 2).blocks(blocks));
        return new Message(plan, PlanCode.of(plan), bytes, 1 << 20, bytes + " bytes");
    }

    /** The least payload of each block is 576 bytes; chunks are multiples of 64 bytes. */
    @ParameterizedTest
    @CsvSource({
        "1,512,false",
        "1,513,true",
        "1,576,true",
        "2,1088,false",
        "2,1089,true",
        "128,73664,false",
        "128,73665,true"
    })
    void shortBlocksHaveOtherPackets(int blocks, long bytes, boolean inLines) {
        assertEquals(
                inLines,
                allReduce(blocks, bytes).launch(1).table(0).orElseThrow().inLines());
    }

    /** 1,000 bytes are 1,024 with their padding: three units of 480, for each of which a warp has 32 threads. */
    @Test
    void unitsOfARecordAreGroupsOfFourLines() {
        FusedLaunch launch = allReduce(1, 1000).launch(0);
        FusedTable table = launch.table(0).orElseThrow();
        assertEquals(3, table.words()[0] & 0xffff_ffff_ffffL);
        assertEquals(96, table.mostUnits());
        assertEquals(
                128,
                allReduce(1, 1000).launch(0).table(0, false, true).orElseThrow().mostUnits());
    }

    /** Whether packets are lines is decided for each round. */
    @Test
    void aShortLastRoundHasOtherPackets() {
        Plan plan = ShippedProgram.PACKETS_LL128.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));
        FusedLaunch launch = FusedLaunch.of(plan, 0, 2 * 1024 + 100, 1024, 0);
        assertEquals(3, launch.launch().geometry().rounds());
        assertEquals(
                List.of(true, true, false),
                IntStream.range(0, 3)
                        .mapToObj(round -> launch.table(round).orElseThrow().inLines())
                        .toList());
    }

    @Test
    void aLaunchHasOnlyTheFormsThatItMayHave() {
        FusedLaunch launch = allReduce(1, 4096).launch(0);
        assertTrue(launch.table(0, true, false).orElseThrow().inLines(), "lines alone");
        assertFalse(launch.table(0, false, true).orElseThrow().inLines(), "other packets alone");
        assertEquals(Optional.empty(), launch.table(0, false, false), "neither");
        FusedLaunch small = allReduce(1, 64).launch(0);
        assertEquals(Optional.empty(), small.table(0, true, false), "too short for lines");
        assertTrue(small.table(0, true, true).isPresent());
    }

    @Test
    void plansOfOtherProtocolsHaveNoLines() {
        Plan plan = ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 2));
        FusedLaunch launch = FusedLaunch.of(plan, 0, 4096, 4096, 0);
        assertFalse(launch.table(0).orElseThrow().inLines());
        assertEquals(Optional.empty(), launch.table(0, true, false));
    }

    /** Lines are where other packets are, behind their area, and have the same plain data. */
    @Test
    void bothFormsHaveTheSamePlainData() {
        FusedLaunch launch = allReduce(4, 100_000).launch(1);
        long[] lines = launch.table(0, true, true).orElseThrow().words();
        long[] packets = launch.table(0, false, true).orElseThrow().words();
        long behind = ContextLayout.halfBytes(launch.context().plan(), 0, 1 << 20) / 2;
        for (int b = 0; b < 4; b++) {
            FusedBlock block = launch.fused().blocks(1).get(b);
            int start = b * launch.fused().recordWords();
            int packetWords = start
                    + FusedBlock.OWN_WORDS
                    + FusedBlock.PLAIN_WORDS * block.plain().size();
            for (int word = start + 1; word < packetWords; word++) {
                assertEquals(packets[word], lines[word], "word " + word);
            }
            for (int word = packetWords; word < start + block.words(); word++) {
                assertEquals(packets[word] + behind, lines[word], "word " + word);
            }
        }
    }

    /** An exchange of two ranks by a program of the application, of which rank 1 has more scratch. */
    private static Plan exchange(int alignment, int chunks, int moreScratch) {
        AlgoSpec spec = AlgoSpec.builder("exchange", ProgramCollective.allReduce(2, chunks, false))
                .protocol(Protocol.LL128)
                .bufferAlignment(alignment)
                .doubleScratch(true)
                .build();
        return CollectiveProgram.define(spec, program -> {
                    List<Buffer> scratch =
                            List.of(program.scratch(0, chunks), program.scratch(1, chunks + moreScratch));
                    for (int rank = 0; rank < 2; rank++) {
                        int peer = 1 - rank;
                        program.memoryChannel(peer, rank)
                                .putPackets(
                                        scratch.get(peer).slice(0, chunks),
                                        program.rank(rank).input().slice(0, chunks),
                                        0);
                        program.rank(rank)
                                .unpackPackets(
                                        program.rank(rank).output().slice(0, chunks),
                                        scratch.get(rank).slice(0, chunks),
                                        0);
                    }
                })
                .compile();
    }

    /** Plans of applications may have any alignment, and ranges of several chunks. */
    @ParameterizedTest
    @CsvSource({"64,1,true", "128,1,true", "16,1,false", "96,1,false", "64,2,false"})
    void plansThatLinesDoNotSuitHaveNone(int alignment, int chunks, boolean inLines) {
        long bytes = 6144L * alignment;
        FusedLaunch launch = FusedLaunch.of(exchange(alignment, chunks, 0), 0, bytes, bytes / chunks, 0);
        assertEquals(inLines, launch.table(0).map(FusedTable::inLines).orElse(false));
    }

    /** The halves of scratch are at different distances, so that this launch takes the general kernel on all ranks. */
    @Test
    void ranksWithUnequalScratchAreNotFused() {
        for (int rank = 0; rank < 2; rank++) {
            FusedLaunch launch = FusedLaunch.of(exchange(64, 1, 1), rank, 6144, 6144, 0);
            assertEquals(Optional.empty(), launch.table(0));
        }
    }

    /** The positions of mscclj/fusedlines.cuh: 16 bytes of each lane, but 8 where the flag of the line is. */
    @Test
    void lanesCoverEachByteOfAUnitOnce() {
        int[] covered = new int[(int) UNIT];
        int[] each = new int[(int) UNIT];
        for (int place = 0; place < 32; place++) {
            int offset = 8 * (2 * place - place / 8);
            for (int at = 0; at < ((place & 7) == 7 ? 8 : 16); at++) {
                covered[offset + at]++;
            }
        }
        Arrays.fill(each, 1);
        assertArrayEquals(each, covered);
    }

    @Test
    void unitsHaveTheSizeOfTheDeviceLibrary() {
        String source = DeviceLibrary.read("mscclj/fusedlines.cuh");
        assertTrue(source.contains("kUnitBytes = " + Lines.GROUP_PAYLOAD + ";"), source);
        assertEquals(UNIT, Lines.GROUP_PAYLOAD);
    }
}
