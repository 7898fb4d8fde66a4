package org.mscclj.spi;

import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * A reduction that a backend does not support, although it declares both the element type and the operation.
 *
 * @param type the element type
 * @param op the operation
 * @param maxRanks the greatest number of ranks of a communicator that does not support it; {@link Integer#MAX_VALUE} if
 *     none does
 */
public record Exclusion(DataType type, ReduceOp.Kind op, int maxRanks) {}
