/** Work on threads of its own, for whose result the caller waits. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.thread;
