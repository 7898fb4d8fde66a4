package org.mscclj.backend.host.kernel.scale;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.host.kernel.variant.VectorSupport;

/** The cache of kernels that scale: one instance of each, since each is a class that has to be loaded and compiled. */
final class ScaleKernels {
    private static final Map<DataType, ScaleKernel> KERNELS = new ConcurrentHashMap<>();

    private ScaleKernels() {}

    static ScaleKernel of(DataType type) {
        return KERNELS.computeIfAbsent(type, ScaleKernels::create);
    }

    private static ScaleKernel create(DataType type) {
        ScaleKernel scalar = ScalarScales.of(type);
        boolean vector = VectorSupport.isEnabled() && type.isFloat();
        return vector ? new TieredScale(scalar, VectorScales.of(type)) : scalar;
    }
}
