package org.mscclj.backend.host.kernel.reduce;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.host.kernel.variant.VectorSupport;

/** The cache of reductions: one instance of each, since each is a class that has to be loaded and compiled. */
final class ReduceKernels {
    private record Reduction(DataType type, ReduceOp.Kind kind) {}

    private static final Map<Reduction, ReduceKernel> KERNELS = new ConcurrentHashMap<>();

    private ReduceKernels() {}

    static ReduceKernel of(DataType type, ReduceOp.Kind kind) {
        return KERNELS.computeIfAbsent(new Reduction(type, kind), _ -> {
            ReduceKernel scalar = ScalarReductions.of(type, kind);
            return VectorSupport.isEnabled() ? new TieredReduce(scalar, VectorReductions.of(type, kind)) : scalar;
        });
    }
}
