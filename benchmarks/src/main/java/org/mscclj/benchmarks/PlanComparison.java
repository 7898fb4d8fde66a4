package org.mscclj.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.variant.VectorSupport;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;
import org.mscclj.plan.Plan;
import org.mscclj.plan.Protocol;
import org.mscclj.plan.RankPlan;
import org.mscclj.plan.ThreadBlock;
import org.mscclj.plan.validation.PlanValidator;

/**
 * Compares launches of a plan that reduces with C loops over the same memory: the overhead of the engine over the
 * kernels. The plan has one rank and one block, whose only operation adds two chunks of the input into a third, on the
 * calling thread.
 */
public final class PlanComparison {
    private static final List<DataType> TYPES =
            List.of(DataType.FLOAT32, DataType.FLOAT64, DataType.INT32, DataType.FLOAT16, DataType.BFLOAT16);

    /** No powers of two, because all chunks would map to the same cache sets. */
    private static final long[] SIZES = {(16 << 10) + 448, (64 << 10) + 448, (256 << 10) + 448, (64 << 20) + 4096 + 448
    };

    private static final int ROUNDS = Integer.getInteger("rounds", 41);
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private PlanComparison() {}

    /** Prints the table; argument: the path of the library with the C loops. */
    public static void main(String[] arguments) {
        System.out.printf(Locale.ROOT, "%-9s %-10s %9s %9s %6s%n", "type", "operand", "plan GB/s", "C GB/s", "ratio");
        Plan plan = sumOfTwo();
        try (Arena arena = Arena.ofShared();
                LocalGroup group = LocalGroup.open(1)) {
            SymbolLookup library = SymbolLookup.libraryLookup(Path.of(arguments[0]), arena);
            group.run(communicator -> {
                for (int i = 0; i < 3; i++) { // the launch path takes the JIT compiler a second or two
                    compare(communicator, plan, library, DataType.FLOAT32, SIZES[i]);
                }
                System.out.println("  (the rows above are warm-up)");
                for (long size : SIZES) {
                    for (DataType type : TYPES) {
                        compare(communicator, plan, library, type, size);
                    }
                }
            });
        }
    }

    private static void compare(Communicator communicator, Plan plan, SymbolLookup library, DataType type, long size) {
        try (DeviceBuffer chunks = communicator.allocate(3 * size);
                PreparedOperation operation = communicator.prepare(
                        PlanCall.of(plan, chunks, chunks.slice(0, 0), type).op(ReduceOp.SUM))) {
            MemorySegment first = chunks.slice(0, size).segment();
            MemorySegment second = chunks.slice(size, size).segment();
            MemorySegment sum = chunks.slice(2 * size, size).segment();
            ReduceComparison.fill(type, first);
            ReduceComparison.fill(type, second);
            Runnable launch = () -> operation.run(LIMIT);
            Runnable c = CLoop.sum(
                    library,
                    type,
                    sum.address(),
                    new long[] {first.address(), second.address()},
                    size / type.byteSize());
            c.run();
            MemorySegment expected = Arena.ofAuto().allocate(size).copyFrom(sum);
            sum.fill((byte) 0);
            launch.run();
            if (expected.mismatch(sum) >= 0) {
                throw new AssertionError("plan and C differ for " + type);
            }
            for (long done = 0; done <= VectorSupport.BYTES_BEFORE_VECTORS; done += size) {
                launch.run();
            }
            VectorSupport.awaitWarmUp();
            ProcessorTime.Pair pair = ProcessorTime.compare(launch, c, ROUNDS);
            System.out.printf(
                    Locale.ROOT,
                    "%-9s %6d KiB %9.1f %9.1f %6.2f%n",
                    type,
                    size >> 10,
                    3.0 * size / pair.firstNanos(),
                    3.0 * size / pair.secondNanos(),
                    pair.ratio());
        }
    }

    private static Plan sumOfTwo() {
        List<ChunkRef> sources = List.of(input(0), input(1));
        Operation sum = new Operation.Data(
                DataKind.REDUCE,
                Optional.empty(),
                List.of(),
                sources,
                List.of(input(2)),
                BlockShare.WHOLE,
                Optional.empty());
        ThreadBlock block = new ThreadBlock(0, List.of(sum), List.of(), List.of(), List.of(), List.of(), List.of());
        RankPlan rank = new RankPlan(0, 3, 0, 0, List.of(block), List.of(), List.of(), List.of(), List.of(), List.of());

        Plan plan = new Plan(
                "sum_of_two", Collective.TEST, Protocol.SIMPLE, false, false, 1024, false, 16, 0, -1, List.of(rank));
        PlanValidator.validate(plan);
        return plan;
    }

    private static ChunkRef input(int index) {
        return new ChunkRef.Local(BufferType.INPUT, index, 1);
    }
}
