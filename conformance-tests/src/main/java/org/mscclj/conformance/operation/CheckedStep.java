package org.mscclj.conformance.operation;

import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.mscclj.api.device.DeviceBuffer;

/**
 * An operation from one buffer to another. The step checks the result only now and then, since a check takes longer
 * than the operation.
 */
final class CheckedStep implements Step {
    private static final int UNCHECKED = 16;

    private final String what;
    private final DeviceBuffer input;
    private final DeviceBuffer output;
    private final Optional<IntUnaryOperator> expected;
    private final Making making;
    private int runs;

    private CheckedStep(
            String what, DeviceBuffer input, DeviceBuffer output, Optional<IntUnaryOperator> expected, Making making) {
        this.what = what;
        this.input = input;
        this.output = output;
        this.expected = expected;
        this.making = making;
    }

    /**
     * Prepares an operation, which owns the buffers from now on.
     *
     * @param expected the expected output; empty if it is undefined on this rank
     * @param making prepares the operation; if it fails, the buffers are freed
     */
    static CheckedStep open(
            String what,
            DeviceBuffer input,
            DeviceBuffer output,
            Optional<IntUnaryOperator> expected,
            Supplier<Making> making) {
        try {
            return new CheckedStep(what, input, output, expected, making.get());
        } catch (RuntimeException | Error e) {
            try (input;
                    output) {
                throw e;
            }
        }
    }

    @Override
    public void run() {
        boolean checked = runs % UNCHECKED == 0 && expected.isPresent();
        runs++;
        if (checked) {
            Numbers.write(output, _ -> -1);
        }
        making.run();
        if (checked) {
            expected.ifPresent(values -> Numbers.require(what, output, values));
        }
    }

    @Override
    public void close() {
        try (input;
                output) {
            making.close();
        }
    }
}
