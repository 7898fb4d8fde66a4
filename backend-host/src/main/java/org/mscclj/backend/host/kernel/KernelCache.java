package org.mscclj.backend.host.kernel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.engine.SumForm;

/** The cache of kernels: one instance of each, since each is a class that has to be loaded and compiled. */
final class KernelCache {
    private record Reduction(DataType type, ReduceOp.Kind kind) {}

    private static final Map<Reduction, ReduceKernel> REDUCTIONS = new ConcurrentHashMap<>();
    private static final Map<DataType, ScaleKernel> SCALES = new ConcurrentHashMap<>();

    private static final Map<Addends, AddendKernel> ADDENDS = new ConcurrentHashMap<>();

    private record Addends(DataType type, SumForm form) {}

    private KernelCache() {}

    static ReduceKernel reduce(DataType type, ReduceOp.Kind kind) {
        return REDUCTIONS.computeIfAbsent(new Reduction(type, kind), absent -> {
            ReduceKernel scalar = ScalarKernels.reduce(type, kind);
            return VectorSupport.isEnabled() ? new TieredReduce(scalar, VectorKernels.reduce(type, kind)) : scalar;
        });
    }

    static ScaleKernel scale(DataType type) {
        return SCALES.computeIfAbsent(type, KernelCache::newScale);
    }

    private static ScaleKernel newScale(DataType type) {
        ScaleKernel scalar = ScalarKernels.scale(type);
        boolean vector = VectorSupport.isEnabled() && type.isFloat();
        return vector ? new TieredScale(scalar, VectorKernels.scale(type)) : scalar;
    }

    static AddendKernel addends(DataType type, SumForm form) {
        return ADDENDS.computeIfAbsent(
                new Addends(type, form),
                _ -> form.isInPlaceOf(type)
                        ? new SameTypeAddends(scale(type), type.byteSize(), form.divisor())
                        : ScalarKernels.addends(type, form));
    }
}
