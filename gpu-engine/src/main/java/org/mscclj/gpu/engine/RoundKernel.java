package org.mscclj.gpu.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.mscclj.device.kernels.plan.LaunchHeader;
import org.mscclj.device.kernels.plan.PlanTable;
import org.mscclj.device.kernels.transfer.TransferKernel;
import org.mscclj.device.kernels.transfer.TransferTable;
import org.mscclj.gpu.module.EarlyLaunch;
import org.mscclj.gpu.module.Kernel;
import org.mscclj.plan.layout.RoundLayout;
import org.mscclj.spi.engine.LaunchSpec;

/** The kernel of a round with its arguments: the header, followed by the table if that is small. */
final class RoundKernel implements AutoCloseable {
    /**
     * Sizes of tables behind the header, in words. They are few, because each one needs its own kernel. Arguments of up
     * to 4 KiB work everywhere.
     */
    static final List<Integer> PLAN_TABLES = List.of(64, 192, 448, 0);

    /**
     * Sizes of tables of point-to-point transfers behind the header, in words. The kernels for all of them are loaded
     * when a communicator opens.
     */
    static final List<Integer> TRANSFER_TABLES = List.of(192, 448, 0);

    private final ArgumentBlock arguments;
    private final Kernel kernel;
    private final int blocks;
    private final int threads;
    private final LaunchHeader header;
    private final Optional<TablePlace> table;
    private final @Nullable EarlyLaunch early;

    /**
     * Creates a kernel.
     *
     * @param words the table
     * @param blocks number of blocks
     * @param mostThreads the most threads of a block
     * @param mostUnits the most threads of a block that can have work at once
     * @param inline words of the table behind the header; 0: the table lies elsewhere
     * @param kernel the kernel for this number of words
     * @param alone whether other ranks do not know of the launch
     * @param waits whether the kernel waits for earlier work itself, and may begin before that has ended
     * @param places returns a place for a number of bytes, for a table that is not behind the header
     */
    private RoundKernel(
            GpuPlanContext context,
            long[] words,
            int blocks,
            int mostThreads,
            long mostUnits,
            int inline,
            Kernel kernel,
            boolean alone,
            boolean waits,
            LongFunction<TablePlace> places) {
        this.blocks = blocks;
        this.kernel = kernel;
        this.threads = context.reserve(kernel, blocks, mostThreads, mostUnits, alone);
        this.arguments = new ArgumentBlock(LaunchHeader.BYTES + 8L * inline);
        try {
            header = new LaunchHeader(arguments.arguments());
            context.describe(header);
            MemorySegment source = MemorySegment.ofArray(words);
            if (inline > 0) {
                arguments.arguments().asSlice(LaunchHeader.BYTES).copyFrom(source);
                table = Optional.empty();
            } else {
                TablePlace place = places.apply(source.byteSize());
                try {
                    place.memory().copyFrom(source);
                } catch (RuntimeException | Error e) {
                    place.close();
                    throw e;
                }
                table = Optional.of(place);
                header.table(place.memory().address());
            }
            early = waits ? context.earlyLaunch(blocks, threads).orElse(null) : null;
            header.letsNext(early != null);
        } catch (RuntimeException | Error e) {
            arguments.close();
            throw e;
        }
    }

    /** Creates the kernel of a round of a plan. */
    static RoundKernel ofPlan(GpuPlanContext context, LaunchSpec launch, RoundLayout layout) {
        PlanKernels kernels = context.kernels().of(launch);
        PlanTable table = context.table(launch, layout);
        SizedKernels sizes = switch (table.form()) {
            case GENERAL -> kernels.general();
            case FUSED -> kernels.fused();
            case LINES -> kernels.lines();
        };
        int inline = sizes.sizeFor(table.words().length, kernels.isSealed());
        return new RoundKernel(
                context,
                table.words(),
                context.blocks(),
                context.spec().plan().threadsPerBlock(),
                table.mostUnits(),
                inline,
                sizes.load(inline),
                kernels.isSealed(),
                table.form() != PlanTable.Form.GENERAL,
                context::planTable);
    }

    /** Creates the kernel of a batch of point-to-point transfers, which must not be empty. */
    static RoundKernel ofTransfers(GpuPlanContext context, TransferTable table) {
        long[] words = table.words();
        int inline = inlineWords(words.length, TRANSFER_TABLES);
        return new RoundKernel(
                context,
                words,
                table.blocks(),
                TransferKernel.THREADS,
                Long.MAX_VALUE,
                inline,
                context.kernels().ofTransfers(inline),
                false,
                false,
                context.tables()::take);
    }

    /**
     * Returns the smallest size of tables behind the header that holds a table; 0 if it must lie elsewhere.
     *
     * @param tables sizes, ascending; 0, the last: the table lies elsewhere
     */
    static int inlineWords(int words, List<Integer> tables) {
        for (int size : tables) {
            if (words <= size) {
                return size;
            }
        }
        return 0;
    }

    /**
     * Enqueues the kernel.
     *
     * @param roundShift offset of the round in each slice, in bytes
     * @param finished address where blocks write the number when they end
     * @param number 0: nothing is written
     */
    void launch(long stream, long roundShift, long finished, long number) {
        header.roundShift(roundShift);
        header.finished(finished);
        header.number(number);
        if (early == null) {
            kernel.launch(stream, blocks, threads, 0, arguments.parameters());
        } else {
            kernel.launchEarly(stream, early, arguments.parameters());
        }
    }

    /** Number of blocks. */
    int blocks() {
        return blocks;
    }

    @Override
    public void close() {
        table.ifPresent(TablePlace::close);
        if (early != null) {
            early.close();
        }
        arguments.close();
    }
}
