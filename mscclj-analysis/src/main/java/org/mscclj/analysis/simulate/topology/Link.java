package org.mscclj.analysis.simulate.topology;

/**
 * A link that carries bytes in one direction.
 *
 * @param name its name, for example {@code rank 3 out}
 * @param bandwidth bytes per nanosecond
 */
public record Link(String name, double bandwidth) {}
