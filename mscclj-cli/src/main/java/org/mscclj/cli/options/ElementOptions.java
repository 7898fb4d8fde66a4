package org.mscclj.cli.options;

import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code --dtype} and {@code --op}: what buffers hold, and how it is combined. */
public final class ElementOptions {
    @Option(names = "--dtype", paramLabel = "TYPE", description = "Element type. Default: ${DEFAULT-VALUE}.")
    private DataType type = DataType.FLOAT32;

    @Mixin
    private OpOption op = new OpOption();

    /** For picocli. */
    public ElementOptions() {}

    /** The element type. */
    public DataType type() {
        return type;
    }

    /** The reduce operation, if one is given. */
    public Optional<ReduceOp> op() {
        return op.given();
    }

    /**
     * The operation itself.
     *
     * @throws InvalidArgumentException if it is not defined on the element type
     */
    public ReduceOp checked(ReduceOp chosen) {
        return OpOption.checked(chosen, type);
    }
}
