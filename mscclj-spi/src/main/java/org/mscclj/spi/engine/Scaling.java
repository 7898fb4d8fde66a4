package org.mscclj.spi.engine;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * The conversion of an engine around a plan for an average or a premultiplied sum: before the first round of a launch
 * it turns the elements of this rank's contribution into addends in {@link LaunchSpec#input}, and when the last round
 * has ended it turns the sums in {@link LaunchSpec#output} into elements of the result. Both count as parts of the
 * launch.
 *
 * <p>In detail, for element {@code x} and sum {@code s}, where floating-point arithmetic is that of the addends, with
 * one rounding to nearest even at each store:
 *
 * <ul>
 *   <li>floating point: the addend is {@code x * form.scale()} for an average and {@code x * factor} for a
 *       premultiplied sum; the result is {@code s / form.divisor()}, rounded to the caller's type;
 *   <li>premultiplied sums of integers: the addend is {@code x * factor}, which wraps; the result is {@code s};
 *   <li>averages of integers of up to 32 bits: the addend is {@code x}; the result is {@code s / n}, truncated toward
 *       zero, where {@code n} is {@code form.divisor()};
 *   <li>averages of integers of 64 bits: the addends are {@code q = floor(x / n)} and {@code x}, and the sums {@code Q}
 *       and {@code S}, of which the second has wrapped. The remainders add up to {@code R = S - n * Q} modulo
 *       2<sup>64</sup>, which is less than {@code n * n}. The result is {@code (n * Q + R) / n}, truncated toward zero.
 * </ul>
 *
 * @param form the addends
 * @param input the caller's input on this rank; may be {@link LaunchSpec#input} itself if the addends take the place of
 *     elements
 * @param output the caller's output on this rank; may be {@link LaunchSpec#output} itself in the same case
 * @param type the type of the caller's elements
 * @param op the average or premultiplied sum, with this rank's factor; one in memory is an element of {@code type}, and
 *     is read by each launch and each replay anew
 * @param hasResult whether this rank has a result. If not, the caller's output is not touched
 */
public record Scaling(
        SumForm form, DeviceBuffer input, DeviceBuffer output, DataType type, ReduceOp op, boolean hasResult) {

    /** The factor of the addends, unless it is in memory: the scale of the average, or the caller's factor. */
    public double factor() {
        return op.kind() == ReduceOp.Kind.AVG ? form.scale() : op.factor();
    }

    /** Number of elements that this rank contributes. */
    public long inputElements() {
        return input.byteSize() / type.byteSize();
    }

    /** The number of elements of this rank's result. */
    public long outputElements() {
        return output.byteSize() / type.byteSize();
    }

    /**
     * Whether the engine has to convert sums after the last round.
     *
     * @param sums the buffer into which the plan writes its sums
     */
    public boolean finishes(DeviceBuffer sums) {
        return hasResult && (form.divisor() != 1 || sums.address() != output.address());
    }
}
