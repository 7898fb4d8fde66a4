package org.mscclj.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mscclj.api.algorithm.AlgorithmNeed;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** Collections of random algorithms with random selectors. */
class AlgorithmCollectionPropertiesTest {
    private static final int CASES = 2000;
    private static final List<Collective> COLLECTIVES =
            List.of(Collective.ALLREDUCE, Collective.ALLGATHER, Collective.BROADCAST);

    private final long seed = Long.getLong("mscclj.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private Algorithm algorithm(int number) {
        Set<AlgorithmNeed> needs = EnumSet.noneOf(AlgorithmNeed.class);
        Stream.of(AlgorithmNeed.values()).filter(_ -> random.nextInt(4) == 0).forEach(needs::add);
        return new Algorithm(
                "a" + number,
                any(COLLECTIVES),
                random.nextInt(4) == 0 ? Optional.empty() : Optional.of("target" + number),
                needs);
    }

    /** Picks nothing, an algorithm of the call's collective, or any other one. */
    private Optional<Algorithm> pick(AlgorithmCollection collection, Collective collective) {
        List<Algorithm> all = random.nextInt(4) == 0
                ? collection.all()
                : List.copyOf(collection.of(collective).values());
        return all.isEmpty() || random.nextInt(4) == 0 ? Optional.empty() : Optional.of(any(all));
    }

    private static boolean fits(Algorithm algorithm, CallShape call) {
        return algorithm.collective() == call.collective()
                && algorithm.target().isPresent()
                && (call.registered() || !algorithm.needs().contains(AlgorithmNeed.REGISTERED_BUFFERS));
    }

    @Test
    void onlyWhatFitsIsPickedAndEachRefusalHasAReason() {
        System.out.println("AlgorithmCollectionPropertiesTest: -Dmscclj.seed=" + seed);
        int picked = 0;
        int byFallback = 0;
        for (int number = 0; number < CASES; number++) {
            AlgorithmCollection collection = new AlgorithmCollection();
            for (int i = random.nextInt(6); i >= 0; i--) {
                collection.register(algorithm(i));
            }
            CallShape call = new CallShape(
                    any(COLLECTIVES), DataType.FLOAT32, ReduceOp.NOP, 0, false, random.nextBoolean(), 4, 4, 1024);
            Optional<Algorithm> first = pick(collection, call.collective());
            Optional<Algorithm> second = pick(collection, call.collective());
            collection.setSelector((_, _) -> first);
            collection.setFallbackSelector((_, _) -> second);
            Optional<Algorithm> expected =
                    first.filter(one -> fits(one, call)).or(() -> second.filter(one -> fits(one, call)));
            if (expected.isPresent()) {
                assertEquals(expected.get(), collection.select(call));
                picked++;
                byFallback += first.equals(expected) ? 0 : 1;
            } else {
                String message = String.valueOf(assertThrows(UnsupportedException.class, () -> collection.select(call))
                        .getMessage());
                Stream.concat(first.stream(), second.stream())
                        .forEach(refused -> assertTrue(
                                message.contains(refused.name() + ": "
                                        + refused.refusal(call).orElseThrow()),
                                message));
            }
        }
        assertTrue(picked > CASES / 10 && byFallback > CASES / 50, picked + " picked, " + byFallback + " by fallback");
    }
}
