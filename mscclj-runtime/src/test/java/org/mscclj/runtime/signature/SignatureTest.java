package org.mscclj.runtime.signature;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.fuzz.Fuzz;

/** The binary forms of signatures. {@code -Dmscclj.seed=N} repeats a run. */
class SignatureTest {
    private static final long SEED = Long.getLong("mscclj.seed", System.nanoTime());
    private static final int SAMPLES = 500;
    private static final CallSignature SUM = new CallSignature(
            Collective.ALLREDUCE,
            DataType.INT32,
            ReduceOp.Kind.SUM,
            0,
            64,
            true,
            "",
            "",
            Role.ITSELF,
            BufferLocations.PLAIN);

    /** A kind of signature. */
    private record Form<S>(
            String name,
            Function<Random, S> sample,
            Function<S, byte[]> encode,
            Function<byte[], S> decode,
            Function<S, String> describe) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Form<?>> forms() {
        return Stream.of(
                new Form<>(
                        "call",
                        SignatureTest::call,
                        CallSignature::encode,
                        CallSignature::decode,
                        CallSignature::describe),
                new Form<>(
                        "plan",
                        SignatureTest::plan,
                        PlanSignature::encode,
                        PlanSignature::decode,
                        PlanSignature::describe),
                new Form<>(
                        "choice",
                        random -> new ChoiceSignature(random.nextBoolean(), text(random), text(random), text(random)),
                        ChoiceSignature::encode,
                        ChoiceSignature::decode,
                        ChoiceSignature::describe),
                new Form<>(
                        "launch",
                        SignatureTest::launch,
                        LaunchSignature::encode,
                        LaunchSignature::decode,
                        LaunchSignature::describe),
                new Form<>(
                        "reduction",
                        SignatureTest::reduction,
                        ReductionSignature::encode,
                        ReductionSignature::decode,
                        ReductionSignature::describe));
    }

    private static CallSignature call(Random random) {
        return new CallSignature(
                one(random, Collective.values()),
                one(random, DataType.values()),
                one(random, ReduceOp.Kind.values()),
                random.nextInt(3),
                number(random),
                random.nextBoolean(),
                text(random),
                text(random),
                one(random, Role.values()),
                places(random));
    }

    private static PlanSignature plan(Random random) {
        return new PlanSignature(
                text(random),
                text(random),
                number(random),
                one(random, DataType.values()),
                one(random, ReduceOp.Kind.values()),
                text(random));
    }

    private static LaunchSignature launch(Random random) {
        return new LaunchSignature(
                text(random),
                text(random),
                text(random),
                random.nextInt(3) - 1,
                random.nextBoolean() ? Optional.of(number(random)) : Optional.empty(),
                random.nextBoolean(),
                places(random),
                text(random));
    }

    private static ReductionSignature reduction(Random random) {
        List<Long> sizes = new ArrayList<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            sizes.add(number(random));
        }
        return new ReductionSignature(one(random, DataType.values()), one(random, ReduceOp.Kind.values()), sizes);
    }

    private static BufferLocations places(Random random) {
        return random.nextBoolean()
                ? BufferLocations.PLAIN
                : new BufferLocations(
                        new BufferLocation(random.nextInt(3), number(random)),
                        new BufferLocation(random.nextInt(3), 0));
    }

    /** Small numbers, so that samples are often equal, and some large ones. */
    private static long number(Random random) {
        return random.nextInt(4) == 0 ? random.nextLong(Long.MAX_VALUE) : random.nextInt(3);
    }

    private static String text(Random random) {
        return one(random, "", "ring", "packets", "я", "a name, and a comma");
    }

    @SafeVarargs
    private static <T> T one(Random random, T... values) {
        return values[random.nextInt(values.length)];
    }

    @ParameterizedTest
    @MethodSource("forms")
    <S> void decodingGivesWhatWasEncoded(Form<S> form) {
        Random random = new Random(SEED);
        for (int i = 0; i < SAMPLES; i++) {
            S signature = form.sample().apply(random);
            assertEquals(signature, form.decode().apply(form.encode().apply(signature)), () -> "seed " + SEED);
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    <S> void bytesAreEqualExactlyIfSignaturesAre(Form<S> form) {
        Random random = new Random(SEED);
        List<S> samples = Stream.generate(() -> form.sample().apply(random))
                .limit(SAMPLES / 5)
                .toList();
        for (S one : samples) {
            for (S other : samples) {
                assertEquals(
                        one.equals(other),
                        Arrays.equals(form.encode().apply(one), form.encode().apply(other)),
                        () -> "seed " + SEED + ": " + one + " and " + other);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    <S> void changedBytesAreAnotherSignatureOrNone(Form<S> form) {
        Random random = new Random(SEED);
        S signature = form.sample().apply(random);
        byte[] bytes = form.encode().apply(signature);
        for (int i = 0; i < bytes.length * 8; i++) {
            byte[] changed = bytes.clone();
            changed[i / 8] ^= (byte) (1 << i % 8);
            try {
                S read = form.decode().apply(changed);
                assertFalse(signature.equals(read), () -> "seed " + SEED + ": " + read);
                assertFalse(form.describe().apply(read).isEmpty());
            } catch (BackendException refused) {
                assertTrue(String.valueOf(refused.getMessage()).contains("malformed"), refused::getMessage);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    <S> void decodingIsTotal(Form<S> form) {
        Fuzz.run(
                form.name(),
                List.of(form.encode().apply(form.sample().apply(new Random(SEED)))),
                message -> form.describe().apply(form.decode().apply(message)));
    }

    /** The form is part of the protocol: another one needs another version. */
    @Test
    void theFormOfThisVersionIsThis() {
        assertEquals(
                "03" + "01" // version, kind
                        + "0009" + hex("ALLREDUCE") + "0005" + hex("INT32") + "0003" + hex("SUM")
                        + "00000000" + "0000000000000040" + "01" + "0000" + "0000" + "0006" + hex("ITSELF")
                        + "00".repeat(32),
                HexFormat.of().formatHex(SUM.encode()));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] later = SUM.encode();
        later[0]++;
        BackendException e = assertThrows(BackendException.class, () -> CallSignature.decode(later));
        assertTrue(String.valueOf(e.getMessage()).contains("version 4"), e::getMessage);
    }

    @Test
    void placesAreLeftOutWhereTheyMayDiffer() {
        Random random = new Random(SEED);
        CallSignature elsewhere = new CallSignature(
                SUM.collective(),
                SUM.type(),
                SUM.op(),
                SUM.root(),
                SUM.sliceBytes(),
                SUM.inPlace(),
                SUM.algorithm(),
                SUM.arguments(),
                SUM.role(),
                new BufferLocations(new BufferLocation(1, random.nextInt(64)), new BufferLocation(2, 0)));
        assertArrayEquals(SUM.encode(), elsewhere.withoutPlaces().encode());
    }
}
