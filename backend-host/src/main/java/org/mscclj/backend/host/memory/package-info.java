/**
 * Memory of this process and of others on the same host: buffers, who uses them, how they are shared, and the doorbells
 * by which processes wake each other.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.host.memory;
