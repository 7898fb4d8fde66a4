package org.mscclj.backend.host.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.stream.IntStream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.validation.FixedReduceOp;

/**
 * Inputs that are all different, in int32, and the outputs that a collective makes of them, by the operation that the
 * plan fixes or by sums.
 */
final class CollectiveValues {
    private final Plan plan;
    private final int elementsPerChunk;
    private final ReduceOp.Kind op;

    CollectiveValues(Plan plan, int elementsPerChunk) {
        this.plan = plan;
        this.op = FixedReduceOp.of(plan).orElse(ReduceOp.Kind.SUM);
        this.elementsPerChunk = elementsPerChunk;
    }

    /** Whether outputs can be told without a root. */
    static boolean supports(Collective collective) {
        return switch (collective) {
            case ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL -> true;
            default -> false;
        };
    }

    int input(int rank, int launch, int index) {
        long mixed = (launch * 1_000_003L + rank) * 0x9E3779B97F4A7C15L + index * 0xD6E8FEB86659FD93L;
        return (int) ((mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L >>> 32);
    }

    /** What is wrong with a rank's output of a launch. */
    Optional<String> check(int rank, int launch, MemorySegment output) {
        RankPlan of = plan.ranks().get(rank);
        int outputs = of.outputChunks() * elementsPerChunk;
        int inputs = of.inputChunks() * elementsPerChunk;
        int world = plan.worldSize();
        for (int i = 0; i < outputs; i++) {
            int index = i;
            int expected = switch (plan.collective()) {
                case ALLREDUCE -> reduced(launch, index);
                case REDUCESCATTER -> reduced(launch, rank * outputs + index);
                case ALLGATHER -> input(index / inputs, launch, index % inputs);
                case ALLTOALL -> {
                    int part = outputs / world;
                    yield input(index / part, launch, rank * part + index % part);
                }
                default -> throw new IllegalArgumentException(plan.collective() + " is not supported");
            };
            if (output.getAtIndex(ValueLayout.JAVA_INT, i) != expected) {
                return Optional.of("rank " + rank + ", launch " + launch + ", chunk " + i / elementsPerChunk);
            }
        }
        return Optional.empty();
    }

    private int reduced(int launch, int index) {
        return IntStream.range(0, plan.worldSize())
                .map(rank -> input(rank, launch, index))
                .reduce((a, b) -> switch (op) {
                    case SUM -> a + b;
                    case MIN -> Math.min(a, b);
                    case MAX -> Math.max(a, b);
                    default -> throw new IllegalStateException("plans fix no " + op);
                })
                .orElseThrow();
    }
}
