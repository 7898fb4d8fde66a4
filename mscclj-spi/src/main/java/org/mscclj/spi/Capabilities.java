package org.mscclj.spi;

import java.util.Set;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * The capabilities that a backend declares.
 *
 * @param dataTypes element types
 * @param reduceOps reduce operations, on the types where they are defined
 * @param maxRanks greatest number of ranks of a communicator
 * @param features all other capabilities
 */
public record Capabilities(Set<DataType> dataTypes, Set<ReduceOp.Kind> reduceOps, int maxRanks, Set<Feature> features) {
    /** Copies the sets. */
    public Capabilities {
        dataTypes = Set.copyOf(dataTypes);
        reduceOps = Set.copyOf(reduceOps);
        features = Set.copyOf(features);
    }
}
