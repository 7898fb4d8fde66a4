package org.mscclj.backend.cuda.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.mscclj.backend.cuda.module.Kernel;
import org.mscclj.device.kernels.plan.ScaleArguments;
import org.mscclj.device.kernels.plan.ScaleKernel;
import org.mscclj.spi.engine.LaunchSpec;

/** The kernel that divides or multiplies the output, with its arguments. It waits for nobody, so it needs no room reserved. */
final class OutputScaling implements AutoCloseable {
    private static final int MOST_BLOCKS = 64;

    private final Arena arena = Arena.ofShared();
    private final Kernel kernel;
    private final int blocks;
    private final ScaleArguments arguments;
    private final MemorySegment parameters;

    OutputScaling(CudaPlanContext context, LaunchSpec launch) {
        try {
            kernel = context.scaleKernel(launch);
            long elements = launch.output().byteSize() / launch.type().byteSize();
            blocks = Math.clamp(elements / ScaleKernel.THREADS, 1, MOST_BLOCKS);
            MemorySegment memory = arena.allocate(ScaleArguments.BYTES, 16);
            arguments = new ScaleArguments(memory);
            arguments.output(
                    launch.output().address(),
                    launch.output().byteSize(),
                    launch.type(),
                    launch.op(),
                    context.spec().plan().worldSize());
            context.describe(arguments);
            parameters = arena.allocate(ValueLayout.ADDRESS);
            parameters.set(ValueLayout.ADDRESS, 0, memory);
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    int blocks() {
        return blocks;
    }

    void launch(long stream, long finished, long number) {
        arguments.finished(finished);
        arguments.number(number);
        kernel.launch(stream, blocks, ScaleKernel.THREADS, 0, parameters);
    }

    @Override
    public void close() {
        arena.close();
    }
}
