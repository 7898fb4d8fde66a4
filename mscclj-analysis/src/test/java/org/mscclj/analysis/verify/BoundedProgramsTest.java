package org.mscclj.analysis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.mscclj.analysis.verdict.Verdict;
import org.mscclj.api.type.Collective;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.validation.MscclppLimits;

/** Programs within the limits of MSCCL++'s executor, for more ranks than fit one operation, are correct. */
class BoundedProgramsTest {
    private static final int RANKS = 12;

    @ParameterizedTest
    @EnumSource(
            value = ShippedProgram.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"TWO_LEVEL"})
    void onOneNode(ShippedProgram program) {
        for (Collective collective : program.collectives()) {
            verify(program, ProgramSpec.of(collective, RANKS));
        }
    }

    @ParameterizedTest(name = "{0} ranks, {1} on each node")
    @CsvSource({"22,2", "22,11"})
    void onSeveralNodes(int ranks, int ranksPerNode) {
        for (Collective collective : Set.of(Collective.ALLREDUCE, Collective.REDUCESCATTER)) {
            verify(ShippedProgram.TWO_LEVEL, ProgramSpec.of(collective, ranks).ranksPerNode(ranksPerNode));
        }
    }

    private static void verify(ShippedProgram program, ProgramSpec outOfPlace) {
        for (ProgramSpec spec :
                List.of(outOfPlace.bounded(true), outOfPlace.bounded(true).inPlace(true))) {
            if (program.refusal(spec).isEmpty()) {
                Plan plan = program.plan(spec);
                assertEquals(List.of(), tooLong(plan), plan.name());
                Verdict verdict = Verifier.verify(plan);
                assertTrue(verdict.isProved(), () -> plan.name() + ": " + verdict.findings());
                assertTrue(verdict.equalBits() || spec.collective() != Collective.ALLREDUCE, plan::name);
            }
        }
    }

    /** Operations of more than 8 channels or 10 operands. */
    private static List<Operation> tooLong(Plan plan) {
        return plan.ranks().stream()
                .flatMap(rank -> rank.threadBlocks().stream())
                .flatMap(block -> block.operations().stream())
                .filter(BoundedProgramsTest::tooLong)
                .toList();
    }

    private static boolean tooLong(Operation operation) {
        return switch (operation) {
            case Operation.Signal signal -> signal.channelIds().size() > 8;
            case Operation.Wait wait -> wait.channelIds().size() > 8;
            case Operation.Flush flush -> flush.channelIds().size() > 8;
            case Operation.Data data ->
                data.sources().size() > 10
                        || data.destinations().size() > 10
                        || (data.channelType().filter(ChannelType.PORT::equals).isPresent()
                                && data.channelIds().size() > 8);
            default -> false;
        };
    }

    /** MSCCL++ knows no places of plain operands: its ranks send packets to themselves. */
    @Test
    void upToEightRanksBoundsChangeThePlacesOfPlainOperandsAlone() {
        List<String> changed = new ArrayList<>();
        for (ShippedProgram program : ShippedProgram.values()) {
            for (Collective collective : program.collectives()) {
                ProgramSpec spec = ProgramSpec.of(collective, 8).ranksPerNode(4);
                if (!program.plan(spec).equals(program.plan(spec.bounded(true)))) {
                    changed.add(program.plan(spec).name());
                }
            }
        }
        assertEquals(
                List.of(
                        "allreduce_packets_8ranks",
                        "allreduce_packets_ll128_8ranks",
                        "allreduce_multicast_packets_8ranks"),
                changed);
    }

    @Test
    void withoutBoundsOperationsAreLonger() {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, RANKS);
        Plan longer = ShippedProgram.SCRATCH.plan(spec);
        assertNotEquals(List.of(), tooLong(longer));
        assertNotEquals(longer, ShippedProgram.SCRATCH.plan(spec.bounded(true)));
    }

    @Test
    void exceededLimitsAreNamed() {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, RANKS).inPlace(true);
        assertEquals(
                List.of(
                        "",
                        "rank 0, block 0, operation put has 11 sources; MSCCL++ supports 10",
                        "rank 0, block 0, operation ppkt has 11 sources; MSCCL++ supports 10",
                        "rank 0, block 0, operation repkt has its plain operand at place 0; MSCCL++ adds it last",
                        "rank 0, block 0, operation signal has 11 channels; MSCCL++ supports 8",
                        "rank 0, block 0 has 22 remote buffers; MSCCL++ supports 16",
                        "rank 0, block 0 has 121 operations; MSCCL++ supports 64",
                        "rank 0, block 0 has 19 memory channels; MSCCL++ supports 16"),
                Stream.of(
                                ShippedProgram.SCRATCH.plan(spec.bounded(true)),
                                ShippedProgram.SCRATCH.plan(spec),
                                ShippedProgram.PACKETS.plan(spec),
                                ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 3)),
                                ShippedProgram.MULTICAST.plan(spec),
                                ShippedProgram.DIRECT.plan(spec),
                                ShippedProgram.RING.plan(spec),
                                ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLGATHER, 20)))
                        .map(plan -> MscclppLimits.exceeded(plan).orElse(""))
                        .toList());
    }
}
