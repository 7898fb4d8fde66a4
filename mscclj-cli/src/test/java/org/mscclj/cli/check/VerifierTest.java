package org.mscclj.cli.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;
import org.mscclj.conformance.element.Elements;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;

/** The verifier accepts the results of a collective, computed here directly from its definition, and nothing else. */
class VerifierTest {
    private static final int COUNT = 17;
    private static final int GUARD = 64;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TEST")
    void acceptsTheDefinitionAndFindsEveryChangedElement(Collective collective) {
        for (int ranks : new int[] {2, 3, 5}) {
            Setting setting = new Setting(collective, ranks);
            setting.compute();
            assertTrue(
                    setting.verify().isRight(),
                    () -> setting.verify().sentences().toString());
            int definedRank = setting.isRooted() ? setting.root : ranks - 1;
            Elements output = new Elements(setting.memory.get(definedRank).output(), DataType.INT32);
            for (long i = 0; i < output.count(); i++) {
                long right = output.get(i);
                output.set(i, right ^ 1);
                LaunchFindings verdict = setting.verify();
                assertEquals(1, verdict.ranks().get(definedRank).wrong());
                assertTrue(
                        verdict.sentences().getFirst().contains("element " + i + ":"),
                        verdict.sentences().toString());
                output.set(i, right);
            }
        }
    }

    @Test
    void findsChangedInputsAndStrayWrites() {
        Setting setting = new Setting(Collective.ALLREDUCE, 2);
        setting.compute();
        Elements input = new Elements(setting.memory.getFirst().input(), DataType.INT32);
        input.set(3, input.get(3) + 1);
        MemorySegment guard = setting.memory.getLast().guards().getFirst();
        guard.set(ValueLayout.JAVA_BYTE, GUARD - 1, (byte) 0);
        LaunchFindings verdict = setting.verify();
        assertEquals(1, verdict.ranks().getFirst().changedInputs());
        assertEquals(1, verdict.ranks().getLast().strayBytes());
        assertEquals(2, verdict.wrong());
        assertEquals(2, verdict.sentences().size());
    }

    @Test
    void findsOutputsThatAreRightAndDiffer() {
        CheckedCall shape = shape(Collective.ALLREDUCE, 3, COUNT, DataType.FLOAT32, ReduceOp.SUM);
        List<RankFindings> findings = IntStream.range(0, 3)
                .mapToObj(rank -> new RankFindings(rank, COUNT, 0, "", rank == 2 ? 7 : 9, 0, 0))
                .toList();
        LaunchFindings allowed = new LaunchFindings(findings, shape.outputCount(), true);
        assertTrue(allowed.bitsDiffer());
        assertTrue(allowed.isRight());
        assertEquals(0, allowed.wrong());
        LaunchFindings verdict = new LaunchFindings(findings, shape.outputCount(), false);
        assertEquals(1, verdict.wrong());
        assertTrue(
                verdict.sentences().getFirst().contains("rank 2: the output is right but differs"),
                verdict.sentences().toString());
    }

    @Test
    void aDigestTellsEveryBitAndEveryPlace() {
        Setting setting = new Setting(Collective.ALLREDUCE, 2);
        setting.compute();
        Elements output = new Elements(setting.memory.getFirst().output(), DataType.INT32);
        long right = setting.verify().ranks().getFirst().digest();
        assertEquals(right, setting.verify().ranks().getLast().digest());
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            output.set(3, output.get(3) ^ (1L << bit));
            assertNotEquals(right, setting.verify().ranks().getFirst().digest(), "bit " + bit);
            output.set(3, output.get(3) ^ (1L << bit));
        }
        long first = output.get(0);
        output.set(0, output.get(1));
        output.set(1, first);
        assertNotEquals(right, setting.verify().ranks().getFirst().digest());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sum", "avg", "product", "min", "max"})
    void everyTypeHasDataThatStaysInRange(String op) {
        for (DataType type : DataType.values()) {
            for (int ranks : new int[] {2, 7, 16, 64, 1024}) {
                CheckedCall shape = shape(Collective.ALLREDUCE, ranks, 64, type, ReduceOp.parse(op));
                InputData inputs = new InputData(shape, 11);
                if (!type.isFloat() || op.startsWith("m")) {
                    continue;
                }
                ElementCodec codec = new ElementCodec(type);
                for (long i = 0; i < shape.count(); i++) {
                    double magnitudes = 0;
                    double product = 1;
                    for (int rank = 0; rank < ranks; rank++) {
                        double value = codec.decode(inputs.bits(rank, i));
                        assertTrue(Double.isFinite(value));
                        magnitudes += Math.abs(value);
                        product *= value;
                    }
                    assertTrue(magnitudes <= codec.largest() || op.equals("product"), type + " " + ranks);
                    double size = Math.abs(product);
                    assertTrue(!op.equals("product") || (size >= 0x1p-5 && size <= 0x1p5), type + " " + ranks);
                }
            }
        }
    }

    private static CheckedCall shape(Collective collective, int ranks, long count, DataType type, ReduceOp op) {
        List<RankPlan> none = IntStream.range(0, ranks)
                .mapToObj(rank ->
                        new RankPlan(rank, 1, 1, 0, List.of(), List.of(), List.of(), List.of(), List.of(), List.of()))
                .toList();
        Plan plan = new Plan("none", collective, Protocol.SIMPLE, false, false, 1, false, 16, 0, -1, none);
        return new CheckedCall(collective, ranks, false, count, type, op, Sources.of(plan));
    }

    /** Memory of all ranks, filled as before a launch. */
    private static final class Setting {
        final int ranks;
        final int root;
        final CheckedCall shape;
        final InputData inputs;
        final List<RankMemory> memory = new ArrayList<>();

        Setting(Collective collective, int ranks) {
            this.ranks = ranks;
            this.root = ranks / 2;
            this.shape =
                    shape(collective, ranks, COUNT, DataType.INT32, collective.reduces() ? ReduceOp.SUM : ReduceOp.NOP);
            this.inputs = new InputData(shape, 42);
            for (int rank = 0; rank < ranks; rank++) {
                RankMemory own = new RankMemory(
                        MemorySegment.ofArray(new int[(int) shape.inputCount()]),
                        MemorySegment.ofArray(new int[(int) shape.outputCount()]),
                        List.of(MemorySegment.ofArray(new byte[GUARD])));
                own.fill(shape, inputs, rank);
                memory.add(own);
            }
        }

        void compute() {
            for (int rank = 0; rank < ranks; rank++) {
                if (isRooted() && rank != root) {
                    continue;
                }
                Elements output = new Elements(memory.get(rank).output(), DataType.INT32);
                for (int i = 0; i < output.count(); i++) {
                    output.set(i, result(rank, i));
                }
            }
        }

        /** Whether only the root's output is defined. */
        boolean isRooted() {
            return shape.collective() == Collective.REDUCE || shape.collective() == Collective.GATHER;
        }

        private long result(int rank, int i) {
            return switch (shape.collective()) {
                case ALLREDUCE, REDUCE -> sum(i);
                case REDUCESCATTER -> sum(rank * COUNT + i);
                case ALLGATHER, GATHER -> inputs.bits(i / COUNT, i % COUNT);
                case ALLTOALL -> inputs.bits(i / COUNT, rank * COUNT + i % COUNT);
                case BROADCAST -> inputs.bits(root, i);
                case SCATTER -> inputs.bits(root, rank * COUNT + i);
                case SENDRECV -> inputs.bits((rank + 1) % ranks, i);
                case TEST -> 0;
            };
        }

        private long sum(int i) {
            int sum = 0;
            for (int rank = 0; rank < ranks; rank++) {
                sum += (int) inputs.bits(rank, i);
            }
            return sum;
        }

        LaunchFindings verify() {
            List<RankVerifier> verifiers = IntStream.range(0, ranks)
                    .mapToObj(rank -> new RankVerifier(shape, inputs, memory.get(rank), rank))
                    .toList();
            Definition definition = Definition.of(
                    shape, verifiers.stream().map(RankVerifier::scores).toList());
            return new LaunchFindings(
                    verifiers.stream()
                            .map(verifier -> verifier.verify(definition))
                            .toList(),
                    shape.outputCount(),
                    false);
        }
    }
}
