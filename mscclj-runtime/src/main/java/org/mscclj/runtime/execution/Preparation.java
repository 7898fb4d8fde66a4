package org.mscclj.runtime.execution;

import org.mscclj.api.device.Stream;

/**
 * How an operation is prepared, whatever it computes.
 *
 * @param algorithm what {@link org.mscclj.api.PreparedOperation#algorithm} shall say
 * @param stream the stream of launches that name none
 * @param hold what closing a buffer means
 */
public record Preparation(String algorithm, Stream stream, BufferHold hold) {}
