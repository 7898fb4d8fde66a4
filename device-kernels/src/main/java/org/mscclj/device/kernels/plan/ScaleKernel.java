package org.mscclj.device.kernels.plan;

import org.mscclj.api.type.DataType;
import org.mscclj.device.kernels.source.DeviceLibrary;

/**
 * The source of the kernel that completes averages and premultiplied sums.
 *
 * @param source complete: it includes nothing
 */
public record ScaleKernel(String source) {
    /** The name of the function. Its parameter is {@link ScaleArguments}. */
    public static final String SCALE = "mscclj_scale";

    /** The most threads that a block has. */
    public static final int THREADS = 512;

    /** The kernel for a type. */
    public static ScaleKernel of(DataType type) {
        return new ScaleKernel(DeviceLibrary.expand("#include \"mscclj/scale.cuh\"\nusing namespace mscclj;\n"
                + "extern \"C\" __global__ void __launch_bounds__(" + THREADS + ") " + SCALE
                + "(const __grid_constant__ ScaleArguments arguments) {\n    scale<"
                + PlanKernel.element(type) + ">(arguments);\n}\n"));
    }
}
