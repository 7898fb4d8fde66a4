package org.mscclj.gpu.engine;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.mscclj.api.type.PacketType;
import org.mscclj.device.kernels.plan.FusedCode;
import org.mscclj.device.kernels.plan.PlanCode;
import org.mscclj.device.kernels.plan.PlanKernel;
import org.mscclj.device.kernels.plan.ScaleKernel;
import org.mscclj.device.kernels.transfer.TransferKernel;
import org.mscclj.gpu.module.Kernel;
import org.mscclj.plan.Plan;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.Scaling;

/** The kernels of a plan's context. Safe for use by several threads. */
final class ContextKernels {
    private static final System.Logger LOGGER = System.getLogger(ContextKernels.class.getName());

    /** The name of the kernels for point-to-point transfers in messages of the compiler. */
    static final String TRANSFERS = "messages";

    private final ContextSpec spec;
    private final KernelCache cache;
    private final PlanCode code;
    private final boolean traced;
    private final int mostThreads;
    private final ConcurrentMap<Integer, Kernel> transferKernels = new ConcurrentHashMap<>();
    private final ConcurrentMap<PlanKernels.Key, PlanKernels> ofPlans = new ConcurrentHashMap<>();
    private final Set<PlanKernels.Key> withMulticast = ConcurrentHashMap.newKeySet();

    /**
     * No kernels yet.
     *
     * @param traced whether blocks trace their operations
     * @param mostThreads the most threads of a block that the engine launches
     */
    ContextKernels(ContextSpec spec, KernelCache cache, PlanCode code, boolean traced, int mostThreads) {
        this.spec = spec;
        this.cache = cache;
        this.code = code;
        this.traced = traced;
        this.mostThreads = mostThreads;
    }

    /** Whether a switch channel of a launch has a multicast address. */
    static boolean isMulticast(LaunchSpec launch) {
        for (OptionalLong address : launch.multicasts()) {
            if (address.isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** The kernels of launches with the type, the operation and the packets of a launch. */
    PlanKernels of(LaunchSpec launch) {
        PlanKernels.Key key = new PlanKernels.Key(launch.type(), launch.op().kind(), launch.packetType());
        if (isMulticast(launch) && withMulticast.add(key)) {
            PlanKernel.switchObstacle(code, key.type(), key.op(), cache.architecture())
                    .ifPresent(obstacle -> LOGGER.log(
                            Level.DEBUG,
                            () -> label(launch) + ": every member of a switch channel is loaded, as " + obstacle));
        }
        return ofPlans.computeIfAbsent(
                key,
                _ -> new PlanKernels(
                        new SizedKernels(RoundKernel.PLAN_TABLES, words -> kernel(launch, words)),
                        new SizedKernels(
                                RoundKernel.PLAN_TABLES,
                                words -> fusedKernel(launch, Optional.of(launch.packetType()), words)),
                        new SizedKernels(
                                RoundKernel.PLAN_TABLES, words -> fusedKernel(launch, Optional.empty(), words))));
    }

    /**
     * The kernel for a launch.
     *
     * @param tableWords words of the table behind the header; 0 if the table lies elsewhere
     */
    private Kernel kernel(LaunchSpec launch, int tableWords) {
        Plan plan = spec.plan();
        String source = PlanKernel.of(
                        code,
                        launch.type(),
                        launch.op().kind(),
                        launch.packetType(),
                        tableWords,
                        plan.threadsPerBlock())
                .source();
        String architecture =
                PlanKernel.switchArchitecture(code, launch.type(), launch.op().kind(), cache.architecture());
        return load(label(launch), source, PlanKernel.RUN, architecture);
    }

    /**
     * The kernel for a launch with fused blocks; like {@link #kernel(LaunchSpec, int)}.
     *
     * @param packets the format of packets; empty for lines
     */
    private Kernel fusedKernel(LaunchSpec launch, Optional<PacketType> packets, int tableWords) {
        FusedCode fused = code.fused()
                .orElseThrow(() -> new IllegalStateException(spec.plan().label() + " is not fused"));
        String source = PlanKernel.fused(
                        code, fused, launch.type(), launch.op().kind(), packets, tableWords, mostThreads)
                .source();
        return load(label(launch) + (packets.isPresent() ? ", fused" : ", in lines"), source, PlanKernel.RUN);
    }

    private String label(LaunchSpec launch) {
        return "plan " + spec.plan().label() + ", " + launch.type() + ", "
                + launch.op().kind() + ", " + launch.packetType();
    }

    /**
     * The kernel for point-to-point transfers.
     *
     * @param tableWords words of the table behind the header; 0 if the table lies elsewhere
     */
    Kernel ofTransfers(int tableWords) {
        return transferKernels.computeIfAbsent(
                tableWords,
                words -> load(TRANSFERS, TransferKernel.of(words, traced).source(), PlanKernel.RUN));
    }

    /** Loads a kernel. A caller that waits for the loading gets an exception when the communicator is aborted. */
    private Kernel load(String label, String source, String name) {
        return load(label, source, name, cache.architecture());
    }

    private Kernel load(String label, String source, String name, String architecture) {
        return cache.get(label, source, name, architecture, () -> {
            if (spec.abort().isSet()) {
                throw spec.abort().exception("loading code of " + label);
            }
        });
    }

    /**
     * The kernel that converts elements to addends, or sums to elements.
     *
     * @param contributes true: elements become addends; false: sums become elements
     */
    Kernel ofScaling(Scaling scaling, boolean contributes) {
        String label = (contributes ? "addends of " : "results of ")
                + scaling.op().kind().label() + ", " + scaling.type();
        return load(
                label,
                ScaleKernel.of(scaling.type(), scaling.form(), contributes).source(),
                ScaleKernel.SCALE);
    }
}
