/**
 * The mapping of chunks to bytes: the layout of a plan over buffers of any size.
 *
 * <p>All positions are computed in <em>padded</em> bytes, in which every chunk has the same size {@code C};
 * {@link org.mscclj.plan.layout.RoundLayout} maps them to the real bytes of a buffer, or to padding.
 */
package org.mscclj.plan.layout;
