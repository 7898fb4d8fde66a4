package org.mscclj.api;

import java.util.Set;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * The capabilities of a communicator, as its backend declares them. They are equal on all ranks.
 *
 * @param dataTypes the element types that collectives work on
 * @param reduceOps the reduce operations, on the types where they are {@linkplain ReduceOp.Kind#supports defined}
 * @param maxRanks the greatest number of ranks that a communicator of this backend may have
 * @param others capabilities besides collectives
 */
public record Capabilities(
        Set<DataType> dataTypes, Set<ReduceOp.Kind> reduceOps, int maxRanks, Set<Capability> others) {
    /** Copies the sets. */
    public Capabilities {
        dataTypes = Set.copyOf(dataTypes);
        reduceOps = Set.copyOf(reduceOps);
        others = Set.copyOf(others);
    }

    /** Whether the communicator has a capability. */
    public boolean has(Capability capability) {
        return others.contains(capability);
    }

    /** Whether a reduce operation works on elements of a type. */
    public boolean reduces(DataType type, ReduceOp.Kind op) {
        return dataTypes.contains(type) && reduceOps.contains(op) && op.supports(type);
    }
}
