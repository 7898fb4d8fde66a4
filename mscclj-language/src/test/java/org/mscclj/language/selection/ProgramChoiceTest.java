package org.mscclj.language.selection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.layout.ScratchNeed;
import org.mscclj.plan.preference.ProgramPreference;
import org.mscclj.plan.preference.SelectionRow;
import org.mscclj.plan.preference.SelectionTable;

/** Measured choices come before thresholds. */
class ProgramChoiceTest {
    /** Thresholds take direct for so large an allreduce in registered memory. */
    private static final long BYTES = 2 << 20;

    private static final ProgramPreference MEASURED = ProgramPreference.GPU.with(new SelectionTable(List.of(
            row(2, true, 0, "scratch@3"),
            row(2, true, 4096, "direct@7x256"),
            row(2, false, 0, "direct@5"),
            row(2, false, 4096, "packets@6"))));

    private static SelectionRow row(int ranks, boolean registered, long leastBytes, String algorithm) {
        return SelectionRow.of(Collective.ALLREDUCE, ranks, registered, leastBytes, algorithm);
    }

    private static ProgramChoice best(boolean registered, MappingObstacles obstacles, int ranks, long bytes) {
        return ProgramChoice.best(
                        ProgramSpec.of(Collective.ALLREDUCE, ranks),
                        bytes,
                        new SelectionContext(registered, false, obstacles, Optional.empty(), MEASURED),
                        new ArrayList<>())
                .orElseThrow();
    }

    /** Plain buffers cannot be served by direct, and the thresholds take packets for them. */
    @ParameterizedTest
    @CsvSource({
        "true,0,SCRATCH,3,0",
        "true,4095,SCRATCH,3,0",
        "true,4096,DIRECT,7,256",
        "false,4095,PACKETS,2,0",
        "false,4096,PACKETS,6,0"
    })
    void tablesAreFollowedUnlessTheirProgramIsRefused(
            boolean registered, long bytes, ShippedProgram program, int blocks, int threads) {
        ProgramChoice choice = best(registered, MappingObstacles.NONE, 2, bytes);
        assertEquals(program, choice.program());
        assertEquals(blocks, choice.spec().blocks());
        assertEquals(threads, choice.spec().threads());
    }

    /** What the preference of GPUs names is what communicators get, in place and out of place. */
    @Test
    void measuredProgramsServeTheirSizes() {
        List<SelectionRow> rows = ProgramPreference.GPU.table().rows().stream()
                .filter(row -> !row.isDefault())
                .toList();
        assertTrue(rows.size() > 20, () -> "only " + rows.size() + " rows");
        for (SelectionRow row : rows) {
            for (boolean inPlace : new boolean[] {false, true}) {
                ProgramSpec spec = ProgramSpec.of(row.collective(), row.ranks()).inPlace(inPlace);
                if (inPlace && row.collective() == Collective.ALLTOALL) {
                    continue; // few programs serve it, and nothing was measured
                }
                SelectionContext context = new SelectionContext(
                        row.registered(), false, MappingObstacles.NONE, Optional.empty(), ProgramPreference.GPU);
                ProgramChoice choice = ProgramChoice.best(spec, row.leastBytes(), context, new ArrayList<>())
                        .orElseThrow();
                assertEquals(
                        new ProgramChoice(
                                ShippedProgram.parse(row.program()),
                                spec.blocks(row.size().blocks())
                                        .threads(row.size().threadsPerBlock())),
                        choice,
                        row::section);
            }
        }
    }

    private static ProgramChoice chosen(
            SelectionTable table,
            ProgramPreference machine,
            ProgramSpec spec,
            MappingObstacles obstacles,
            boolean equalNodes) {
        Optional<String> unequal = equalNodes ? Optional.empty() : Optional.of("nodes are unequal");
        return ProgramChoice.best(
                        spec,
                        BYTES,
                        new SelectionContext(true, false, obstacles, unequal, machine.with(table)),
                        new ArrayList<>())
                .orElseThrow();
    }

    /** The table was measured with all ranks on one node; port would be chosen if it were followed. */
    @Test
    void aTableIsForOneNode() {
        SelectionTable table = new SelectionTable(List.of(row(4, false, 0, "port@16"), row(4, true, 0, "port@16")));
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 4);
        ProgramPreference gpu = ProgramPreference.GPU;
        MappingObstacles far = new MappingObstacles(Optional.of("they are on several nodes"), Optional.empty());
        ProgramChoice measured = new ProgramChoice(ShippedProgram.PORT, spec.blocks(16));
        assertEquals(measured, chosen(table, gpu, spec, MappingObstacles.NONE, true));
        assertEquals(
                ShippedProgram.TWO_LEVEL,
                chosen(table, gpu, spec.ranksPerNode(2), far, true).program());
        ProgramChoice unequal = chosen(table, gpu, spec, far, false);
        assertEquals(ShippedProgram.PORT, unequal.program());
        assertEquals(
                new ProgramRanking(gpu).blocks(ShippedProgram.PORT, spec, BYTES),
                unequal.spec().blocks());
    }

    /** Where lines are off, and on devices without lines, another program is better than one in lines without lines. */
    @Test
    void aRowInLinesIsPassedOverWhereLinesAreOff() {
        SelectionTable table = new SelectionTable(List.of(row(4, true, 0, "packets_two_shot_ll128@16")));
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 4);
        assertEquals(
                new ProgramChoice(ShippedProgram.PACKETS_TWO_SHOT_LL128, spec.blocks(16)),
                chosen(table, ProgramPreference.GPU, spec, MappingObstacles.NONE, true));
        for (ProgramPreference machine : List.of(ProgramPreference.GPU.withoutLines(), ProgramPreference.HOST)) {
            assertEquals(
                    ShippedProgram.DIRECT,
                    chosen(table, machine, spec, MappingObstacles.NONE, true).program());
        }
    }

    /** One shot of eight ranks has 2 × 8 chunks of at least 16 bytes, twice as many with flags. */
    @Test
    void aRowWhoseScratchDoesNotFitIsPassedOver() {
        SelectionTable table = new SelectionTable(List.of(row(8, true, 0, "packets@1")));
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 8);
        long least = ScratchNeed.leastBytes(ShippedProgram.PACKETS.plan(spec));
        assertEquals(
                ShippedProgram.PACKETS,
                chosen(table, ProgramPreference.GPU.withScratchLimit(least), spec, MappingObstacles.NONE, true)
                        .program());
        assertEquals(
                ShippedProgram.DIRECT,
                chosen(table, ProgramPreference.GPU.withScratchLimit(least - 1), spec, MappingObstacles.NONE, true)
                        .program());
    }

    private static Optional<ShippedProgram> onGpus(Collective collective, int ranks, List<String> refusals) {
        return ProgramChoice.best(
                        ProgramSpec.of(collective, ranks),
                        BYTES,
                        new SelectionContext(
                                true, false, MappingObstacles.NONE, Optional.empty(), ProgramPreference.GPU),
                        refusals)
                .map(ProgramChoice::program);
    }

    /**
     * A kernel takes 62 operands. An allreduce by direct reads from each rank, and stores to each; a ring never does.
     */
    @Test
    void programsWithMoreOperandsThanKernelsTakeArePassedOver() {
        List<String> refusals = new ArrayList<>();
        assertEquals(Optional.of(ShippedProgram.DIRECT), onGpus(Collective.ALLREDUCE, 31, refusals));
        refusals.clear();
        assertEquals(Optional.of(ShippedProgram.RING), onGpus(Collective.ALLREDUCE, 32, refusals));
        assertEquals(
                List.of(
                        "relay: there is none for allreduce",
                        "direct: it has operations of 64 operands, and the device takes up to 62",
                        "scratch: it has operations of 64 operands, and the device takes up to 62"),
                refusals);
        assertEquals(Optional.of(ShippedProgram.DIRECT), onGpus(Collective.REDUCE, 61, refusals));
        assertEquals(Optional.empty(), onGpus(Collective.REDUCE, 62, refusals));
        assertEquals(Optional.of(ShippedProgram.DIRECT), onGpus(Collective.ALLGATHER, 72, refusals));
    }

    /** The program of two levels adds sums of many nodes by several operations. */
    @ParameterizedTest(name = "{0} nodes")
    @ValueSource(ints = {32, 33, 62, 512})
    void anyNumberOfNodesIsServed(int nodes) {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 8 * nodes).ranksPerNode(8);
        assertEquals(
                ShippedProgram.TWO_LEVEL,
                DefaultPrograms.best(spec, true, BYTES, ProgramPreference.GPU).program());
    }

    /** What tells the choices of a world leaves out what no program serves, and says why if it is asked. */
    @Test
    void collectivesWithoutAProgramHaveNoDefault() {
        List<ChosenProgram> all = DefaultPrograms.of(64, 64, ProgramPreference.GPU);
        assertTrue(all.stream().noneMatch(choice -> choice.spec().collective() == Collective.REDUCE));
        assertTrue(all.stream().anyMatch(choice -> choice.spec().collective() == Collective.ALLREDUCE));
        UnsupportedException refused = assertThrows(
                UnsupportedException.class,
                () -> DefaultPrograms.best(ProgramSpec.of(Collective.REDUCE, 64), true, BYTES, ProgramPreference.GPU));
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.startsWith("no program serves reduce on 64 ranks: "), message);
        assertTrue(message.contains("; direct: it has operations of 65 operands"), message);
    }

    @Test
    void otherRanksAreServedByThresholds() {
        assertEquals(
                ShippedProgram.PACKETS, best(true, MappingObstacles.NONE, 3, 0).program());
    }

    @Test
    void ranksThatCannotMapMemoryUsePorts() {
        Optional<String> far = Optional.of("they are on several nodes");
        assertEquals(
                ShippedProgram.PORT,
                best(true, new MappingObstacles(far, far), 2, 0).program());
    }

    @Test
    void sizesAtWhichRowsBeginAreSteps() {
        List<Long> steps = new ProgramRanking(MEASURED).steps(2);
        assertTrue(steps.contains(4096L), steps::toString);
        assertEquals(steps.stream().sorted().distinct().toList(), steps);
    }

    /** GPU engines launch at most as many threads as the plan says. */
    @Test
    void programsAreNamedWithThreads() {
        ProgramChoice choice = NamedProgram.find("packets@12x256")
                .orElseThrow()
                .choice(
                        ProgramSpec.of(Collective.ALLREDUCE, 2),
                        4096,
                        new SelectionContext(true, false, MappingObstacles.NONE, Optional.empty(), MEASURED),
                        new ArrayList<>())
                .orElseThrow();
        assertEquals(12, choice.spec().blocks());
        assertEquals(256, choice.program().plan(choice.spec()).threadsPerBlock());
        assertEquals(
                1024,
                choice.program().plan(choice.spec().threads(0)).threadsPerBlock(),
                "the most that a plan may have, of which an engine launches what it allows");
    }

    @Test
    void programsAreNamedWithBlocks() {
        assertEquals(
                Optional.of(new NamedProgram(ShippedProgram.PACKETS, new LaunchSize(12, 0))),
                NamedProgram.find("packets@12"));
        assertEquals(Optional.of(new NamedProgram(ShippedProgram.PORT, LaunchSize.CHOSEN)), NamedProgram.find("port"));
        assertEquals(Optional.empty(), NamedProgram.find("parcels@12"));
        String said = assertThrows(InvalidArgumentException.class, () -> NamedProgram.find("packets@many"))
                .getMessage();
        assertTrue(said.contains("\"packets@many\"; allowed: behind @"), said);
    }
}
