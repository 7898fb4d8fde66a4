/**
 * Device memory as elements of a type, and its copies to and from arrays and NIO buffers.
 *
 * <p>{@code TypedBuffer} has more than 400 lines: it has the same few methods for each of six types of arrays.
 */
package org.mscclj.api.element;
