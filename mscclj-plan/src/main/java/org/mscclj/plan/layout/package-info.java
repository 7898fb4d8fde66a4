/**
 * From chunks to bytes: how a plan is laid over buffers of any size.
 *
 * <p>All positions are computed in <em>padded</em> bytes, in which every chunk has the same size {@code C};
 * {@link org.mscclj.plan.layout.RoundLayout} maps them to the real bytes of a buffer, or to padding.
 */
package org.mscclj.plan.layout;
