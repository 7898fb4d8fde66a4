package org.mscclj.conformance.operation;

import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.mscclj.api.Communicator;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.device.DeviceBuffer;

/** An operation from one buffer to another, whose results are looked at now and then: that takes longer than the operation. */
final class CheckedStep implements Step {
    private static final int UNCHECKED = 16;

    private final String what;
    private final DeviceBuffer input;
    private final DeviceBuffer output;
    private final Optional<IntUnaryOperator> expected;
    private final Making making;
    private int runs;

    /** How it is made. */
    interface Making {
        /** Makes it once, and waits for it. */
        void run();

        /** Frees what was prepared. */
        void close();
    }

    /**
     * An operation that is ready.
     *
     * @param expected the output; empty if it is undefined on this rank
     */
    CheckedStep(
            String what, DeviceBuffer input, DeviceBuffer output, Optional<IntUnaryOperator> expected, Making making) {
        this.what = what;
        this.input = input;
        this.output = output;
        this.expected = expected;
        this.making = making;
    }

    /** Makes an operation by launches of a prepared one. */
    static Making prepared(Communicator communicator, PreparedOperation operation) {
        return new Making() {
            @Override
            public void run() {
                operation.run(communicator.timeout());
            }

            @Override
            public void close() {
                operation.close();
            }
        };
    }

    /** Makes an operation anew each time. */
    static Making eager(Runnable call) {
        return new Making() {
            @Override
            public void run() {
                call.run();
            }

            @Override
            public void close() {
                // nothing is kept
            }
        };
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
