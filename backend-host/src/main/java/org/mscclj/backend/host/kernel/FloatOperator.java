package org.mscclj.backend.host.kernel;

/** A binary operator on binary32. */
@FunctionalInterface
interface FloatOperator {
    float applyAsFloat(float left, float right);
}
