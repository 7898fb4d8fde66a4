/** The structures of DLPack in native memory, and their deleters. Knows nothing of our types and devices. */
@org.jspecify.annotations.NullMarked
package org.mscclj.dlpack.ffm;
