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
 * @param exclusions what does not work of these operations on these types
 */
public record Capabilities(
        Set<DataType> dataTypes,
        Set<ReduceOp.Kind> reduceOps,
        int maxRanks,
        Set<Feature> features,
        Set<Exclusion> exclusions) {
    /** Copies the sets. */
    public Capabilities {
        dataTypes = Set.copyOf(dataTypes);
        reduceOps = Set.copyOf(reduceOps);
        features = Set.copyOf(features);
        exclusions = Set.copyOf(exclusions);
    }

    /** The capabilities of a backend without exclusions. */
    public Capabilities(Set<DataType> dataTypes, Set<ReduceOp.Kind> reduceOps, int maxRanks, Set<Feature> features) {
        this(dataTypes, reduceOps, maxRanks, features, Set.of());
    }

    /**
     * Returns whether an exclusion applies to a reduction.
     *
     * @param ranks the number of ranks of the communicator
     */
    public boolean excludes(DataType type, ReduceOp.Kind op, int ranks) {
        return exclusions.stream().anyMatch(one -> one.type() == type && one.op() == op && ranks <= one.maxRanks());
    }
}
