/** Files that the backends keep for the next start. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.cache;
