package org.mscclj.cli.options;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import picocli.CommandLine.Option;

/** {@code --dtype} and {@code --op}: what buffers hold, and how it is combined. */
public final class ElementOptions {
    @Option(names = "--dtype", paramLabel = "TYPE", description = "Element type. Default: ${DEFAULT-VALUE}.")
    private DataType type = DataType.FLOAT32;

    @Option(
            names = "--op",
            paramLabel = "OP",
            description =
                    "Reduce operation: sum, product, min, max, avg, band, bor, bxor or premul-sum:FACTOR. Default: what a"
                            + " plan fixes, else sum.")
    private Optional<ReduceOp> op = Optional.empty();

    /** For picocli. */
    public ElementOptions() {}

    /** The element type. */
    public DataType type() {
        return type;
    }

    /** The reduce operation, if one is given. */
    public Optional<ReduceOp> op() {
        return op;
    }

    /**
     * The operation itself.
     *
     * @throws InvalidArgumentException if it is not defined on the element type
     */
    public ReduceOp checked(ReduceOp chosen) {
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
