package org.mscclj.runtime.fallback;

import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * What calls of a class have in common for a fallback. Equal on all ranks.
 *
 * @param op the operation without its factor
 * @param root the root; 0 if the collective has none
 */
public record FallbackCall(Collective collective, DataType type, ReduceOp op, int root, boolean inPlace) {}
