/** Streams, events and graphs. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.stream;
