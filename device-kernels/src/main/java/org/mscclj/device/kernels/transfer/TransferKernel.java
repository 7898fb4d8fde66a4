package org.mscclj.device.kernels.transfer;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.device.kernels.plan.PlanKernel;
import org.mscclj.device.kernels.source.DeviceLibrary;

/**
 * The source of the kernel that executes point-to-point transfers; there is one kernel for all, and one with tracing.
 *
 * @param source complete source without includes
 */
public record TransferKernel(String source) {
    /** Greatest number of threads of a block. */
    public static final int THREADS = 512;

    /** Cached kernels; all ranks use the same few. */
    private static final Map<Form, TransferKernel> CACHE = new ConcurrentHashMap<>();

    /** The properties in which kernels differ. */
    private record Form(int tableWords, boolean isTraced) {}

    /**
     * The kernel, whose function is {@link PlanKernel#RUN}.
     *
     * @param tableWords words of the table behind the header; 0 if the table lies elsewhere
     * @param isTraced whether blocks trace their parts of transfers
     */
    public static TransferKernel of(int tableWords, boolean isTraced) {
        return CACHE.computeIfAbsent(new Form(tableWords, isTraced), TransferKernel::make);
    }

    private static TransferKernel make(Form form) {
        int tableWords = form.tableWords();
        String table = tableWords > 0 ? "    uint64 table[" + tableWords + "];\n" : "";
        return new TransferKernel(
                DeviceLibrary.expand(String.format(Locale.ROOT, """
                #include "mscclj/element.cuh"
                #include "mscclj/operator.cuh"
                #include "mscclj/%s.cuh"
                using namespace mscclj;
                struct Arguments {
                    LaunchHeader header;
                """, form.isTraced() ? "transfertrace" : "transfer")
                        + table
                        + String.format(
                                Locale.ROOT,
                                """
                        };
                        using TransferBlock = Block<Uint8Element, Sum, PacketType::LL16>;
                        extern "C" __global__ void __launch_bounds__(%d) %s(const MSCCLJ_GRID_CONSTANT Arguments given) {
                            const Arguments& arguments = MSCCLJ_IN_PLACE(given);
                            TransferBlock block(arguments.header, %s);
                            if (!block.begin()) {
                                return;
                            }
                            moveMessages<%s>(block);
                            block.end();
                        }
                        """,
                                THREADS,
                                PlanKernel.RUN,
                                tableWords > 0 ? "arguments.table" : "arguments.header.table",
                                form.isTraced() ? "TracedPart<TransferBlock>" : "Untraced")));
    }
}
