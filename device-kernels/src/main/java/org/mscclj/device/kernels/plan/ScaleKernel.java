package org.mscclj.device.kernels.plan;

import org.mscclj.api.type.DataType;
import org.mscclj.device.kernels.source.DeviceLibrary;
import org.mscclj.spi.engine.SumForm;

/**
 * The source of a kernel that converts elements to the addends of an average or a premultiplied sum, or sums to
 * elements.
 *
 * @param source complete source without includes
 */
public record ScaleKernel(String source) {
    /** The name of the function. Its parameter is {@link ScaleArguments}. */
    public static final String SCALE = "mscclj_scale";

    /** Greatest number of threads of a block. */
    public static final int THREADS = 512;

    /**
     * Creates a kernel.
     *
     * @param type the type of elements
     * @param form form of the addends
     * @param contributes whether elements become addends; otherwise sums become elements
     */
    public static ScaleKernel of(DataType type, SumForm form, boolean contributes) {
        return new ScaleKernel(DeviceLibrary.expand("#include \"mscclj/scale.cuh\"\nusing namespace mscclj;\n"
                + "extern \"C\" __global__ void __launch_bounds__(" + THREADS + ") " + SCALE
                + "(const MSCCLJ_GRID_CONSTANT ScaleArguments given) {\n"
                + "    const ScaleArguments& arguments = MSCCLJ_IN_PLACE(given);\n    "
                + call(type, form, contributes) + "\n}\n"));
    }

    /** The call into the device library. */
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
