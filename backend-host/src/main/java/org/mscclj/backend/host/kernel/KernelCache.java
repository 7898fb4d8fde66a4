package org.mscclj.backend.host.kernel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.DataType;
import org.mscclj.api.ReduceOp;

/** The kernels in use: one of each, since each is a class that has to be loaded and compiled. */
final class KernelCache {
    private record Reduction(DataType type, ReduceOp.Kind kind) {}

    private static final Map<Reduction, ReduceKernel> REDUCTIONS = new ConcurrentHashMap<>();
    private static final Map<DataType, ScaleKernel> SCALES = new ConcurrentHashMap<>();

    private KernelCache() {}

    static ReduceKernel reduce(DataType type, ReduceOp.Kind kind) {
        return REDUCTIONS.computeIfAbsent(
                new Reduction(type, kind),
                reduction -> VectorSupport.isEnabled()
                        ? VectorKernels.reduce(type, kind)
                        : ScalarKernels.reduce(type, kind));
    }

    static ScaleKernel scale(DataType type) {
        return SCALES.computeIfAbsent(
                type, absent -> VectorSupport.isEnabled() ? VectorKernels.scale(type) : ScalarKernels.scale(type));
    }
}
