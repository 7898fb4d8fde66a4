package org.mscclj.cli.check;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.conformance.element.ElementCodec;

/** Describes the tolerance of a comparison. */
public final class Tolerance {
    private Tolerance() {}

    /** Returns the tolerance for a call, for example {@code exact}. */
    public static String of(CheckedCall shape) {
        if (shape.collective() == Collective.TEST) {
            return "no comparison; the plan must only complete";
        }
        ReduceOp.Kind kind = shape.op().kind();
        if (!shape.collective().reduces()
                || !shape.type().isFloat()
                || kind == ReduceOp.Kind.MIN
                || kind == ReduceOp.Kind.MAX
                || shape.ranks() == 1) {
            return "exact";
        }
        String exponent = "2^-" + new ElementCodec(shape.type()).mantissaBits();
        String bound = (shape.ranks() - 1) + " * " + exponent + " * ";
        return switch (kind) {
            case PRODUCT ->
                "exact for powers of two; else |error| <= (ranks - 1) * epsilon * |product| = " + bound + "|product|";
            case AVG, PREMUL_SUM ->
                "exact for whole numbers scaled by a power of two; else |error| <= (ranks + 1) * epsilon *"
                        + " sum|x * factor|"
                        + " + ranks * the least positive number, epsilon = " + exponent;
            default -> "exact for whole numbers; else |error| <= (ranks - 1) * epsilon * sum|x| = " + bound + "sum|x|";
        };
    }
}
