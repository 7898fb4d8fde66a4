package org.mscclj.cli.options;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import picocli.CommandLine.Option;

/** The option {@code --op}: the reduction. */
public final class OpOption {
    @Option(
            names = "--op",
            paramLabel = "OP",
            description = "Reduce operation: sum, product, min, max, avg, band, bor, bxor or premul-sum:FACTOR."
                    + " Default: what a"
                    + " plan fixes, else sum.")
    private Optional<ReduceOp> given = Optional.empty();

    /** Called by picocli. */
    public OpOption() {}

    /** Returns the reduction, if one is given. */
    public Optional<ReduceOp> given() {
        return given;
    }

    /**
     * Returns the reduction.
     *
     * @throws InvalidArgumentException if it is not defined on the element type
     */
    public static ReduceOp checked(ReduceOp chosen, DataType type) {
        if (!chosen.kind().supports(type)) {
            throw new InvalidArgumentException("--op is " + chosen + ", which is not defined on " + type
                    + "; use an integer --dtype, or another --op");
        }
        if (chosen.kind() == ReduceOp.Kind.PREMUL_SUM
                && !type.isFloat()
                && chosen.factor() != Math.rint(chosen.factor())) {
            throw new InvalidArgumentException(
                    "--op is " + chosen + "; for " + type + " the factor must be a whole number");
        }
        return chosen;
    }
}
