package org.mscclj.device.kernels.plan;

import org.mscclj.api.type.DataType;
import org.mscclj.device.kernels.source.DeviceLibrary;
import org.mscclj.spi.engine.SumForm;

/**
 * The source of a kernel that turns elements into the addends of an average or a premultiplied sum, or sums into
 * elements.
 *
 * @param source complete: it includes nothing
 */
public record ScaleKernel(String source) {
    /** The name of the function. Its parameter is {@link ScaleArguments}. */
    public static final String SCALE = "mscclj_scale";

    /** The most threads that a block has. */
    public static final int THREADS = 512;

    /**
     * A kernel.
     *
     * @param type the type of elements
     * @param form the addends
     * @param contributes whether elements become addends; else sums become elements
     */
    public static ScaleKernel of(DataType type, SumForm form, boolean contributes) {
        return new ScaleKernel(DeviceLibrary.expand("#include \"mscclj/scale.cuh\"\nusing namespace mscclj;\n"
                + "extern \"C\" __global__ void __launch_bounds__(" + THREADS + ") " + SCALE
                + "(const __grid_constant__ ScaleArguments arguments) {\n    "
                + call(type, form, contributes) + "\n}\n"));
    }

    /** The call of the device library. */
    static String call(DataType type, SumForm form, boolean contributes) {
        return "scale<" + addends(type, form) + ", " + contributes + ">(arguments);";
    }

    private static String addends(DataType type, SumForm form) {
        String element = PlanKernel.element(type);
        String addend = PlanKernel.element(form.type());
        if (type.isFloat()) {
            return "FloatAddends<" + element + ", " + addend + ">";
        }
        if (form.addends() == 2) {
            return "PairedAddends<" + element + ">";
        }
        return form.isInPlaceOf(type)
                ? "MultipliedAddends<" + element + ">"
                : "WideAddends<" + element + ", " + addend + ">";
    }
}
