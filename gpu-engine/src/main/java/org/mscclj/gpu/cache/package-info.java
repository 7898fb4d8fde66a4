/** Files that this backend keeps for its next start. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.cache;
