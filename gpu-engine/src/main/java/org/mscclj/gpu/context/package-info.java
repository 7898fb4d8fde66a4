/** GPUs and their primary contexts in this process. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.context;
