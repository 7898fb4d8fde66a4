package org.mscclj.gpu.engine;

import org.jspecify.annotations.Nullable;
import org.mscclj.device.kernels.plan.ScaleArguments;
import org.mscclj.device.kernels.plan.ScaleKernel;
import org.mscclj.gpu.module.Kernel;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.Scaling;

/**
 * The kernel that converts this rank's contribution to addends, or sums to its result, with its arguments. It does not
 * wait for other kernels, so it needs no reserved capacity.
 */
final class ScalingStep implements AutoCloseable {
    /** The most blocks of a step whose blocks report their end to the host. The host reads one word for each block. */
    private static final int MAX_BLOCKS_OF_RESULT = 64;

    private static final int MAX_BLOCKS_OF_CONTRIBUTION = 256;

    private final ArgumentBlock block = new ArgumentBlock(ScaleArguments.BYTES);
    private final Kernel kernel;
    private final int blocks;
    private final ScaleArguments arguments;

    private ScalingStep(GpuPlanContext context, Scaling scaling, boolean contributes, LaunchSpec launch) {
        try {
            kernel = context.kernels().ofScaling(scaling, contributes);
            long elements = contributes ? scaling.inputElements() : scaling.outputElements();
            int most = contributes ? MAX_BLOCKS_OF_CONTRIBUTION : MAX_BLOCKS_OF_RESULT;
            blocks = Math.clamp(elements / ScaleKernel.THREADS, 1, most);
            arguments = new ScaleArguments(block.arguments());
            if (contributes) {
                arguments.contribution(scaling, launch.input());
            } else {
                arguments.result(scaling, launch.output());
            }
            context.describe(arguments);
        } catch (RuntimeException | Error e) {
            block.close();
            throw e;
        }
    }

    /** The step before the first round of a launch; null if there is none. */
    static @Nullable ScalingStep before(GpuPlanContext context, LaunchSpec launch) {
        return launch.scaling()
                .map(scaling -> new ScalingStep(context, scaling, true, launch))
                .orElse(null);
    }

    /** The step after the last round of a launch; null if there is none. */
    static @Nullable ScalingStep after(GpuPlanContext context, LaunchSpec launch) {
        return launch.scaling()
                .filter(scaling -> scaling.finishes(launch.output()))
                .map(scaling -> new ScalingStep(context, scaling, false, launch))
                .orElse(null);
    }

    int blocks() {
        return blocks;
    }

    /**
     * Launches the kernel.
     *
     * @param finished address where each block writes the number when it ends
     * @param number 0: nothing is written
     */
    void launch(long stream, long finished, long number) {
        arguments.finished(finished);
        arguments.number(number);
        kernel.launch(stream, blocks, ScaleKernel.THREADS, 0, block.parameters());
    }

    @Override
    public void close() {
        block.close();
    }
}
