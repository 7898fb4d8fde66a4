package org.mscclj.cli.options;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options {@code --dtype} and {@code --op}: element type and reduction. */
public final class ElementOptions {
    @Option(names = "--dtype", paramLabel = "TYPE", description = "Element type. Default: ${DEFAULT-VALUE}.")
    private DataType type = DataType.FLOAT32;

    @Mixin
    private OpOption op = new OpOption();

    /** Called by picocli. */
    public ElementOptions() {}

    /** Returns the element type. */
    public DataType type() {
        return type;
    }

    /** Returns the reduction, if one is given. */
    public Optional<ReduceOp> op() {
        return op.given();
    }

    /**
     * Returns the reduction.
     *
     * @throws InvalidArgumentException if it is not defined on the element type
     */
    public ReduceOp checked(ReduceOp chosen) {
        return OpOption.checked(chosen, type);
    }
}
