/**
 * Memory of this process and of others on the same host: buffers, their users, their sharing, and the doorbells by
 * which processes wake each other.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.backend.host.memory;
