package org.mscclj.gpu.engine;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;

/**
 * The kernels of a plan for calls of one type and operation. Loading one waits until no kernel is on the GPU. Once
 * these kernels are sealed, a launch uses one that is loaded, because other ranks may wait for that launch.
 */
final class PlanKernels {
    private final SizedKernels general;
    private final SizedKernels fused;
    private final SizedKernels lines;
    private volatile boolean sealed;

    /** Launches with equal kernels. */
    record Key(DataType type, ReduceOp.Kind op, PacketType packets) {}

    /**
     * No kernels yet.
     *
     * @param general the kernels for any launch
     * @param fused the kernels for launches with fused blocks
     * @param lines the kernels for launches with fused blocks whose packets are lines
     */
    PlanKernels(SizedKernels general, SizedKernels fused, SizedKernels lines) {
        this.general = general;
        this.fused = fused;
        this.lines = lines;
    }

    /** The kernels for any launch. */
    SizedKernels general() {
        return general;
    }

    /** The kernels for launches with fused blocks. */
    SizedKernels fused() {
        return fused;
    }

    /** The kernels for launches with fused blocks whose packets are lines. */
    SizedKernels lines() {
        return lines;
    }

    /** From now on, launches whose table is not larger than the largest that was loaded load no kernel. */
    void seal() {
        sealed = true;
    }

    boolean isSealed() {
        return sealed;
    }
}
