/** Streams, events and graphs. */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.cuda.stream;
