package org.mscclj.support.arithmetic;

/** A binary operator on binary32. */
@FunctionalInterface
public interface FloatOperator {
    /** Combines two operands. */
    float applyAsFloat(float left, float right);
}
