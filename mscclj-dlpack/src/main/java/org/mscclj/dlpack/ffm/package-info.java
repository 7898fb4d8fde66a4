/** The structures of DLPack in native memory, and their deleters. Independent of this library's types and devices. */
@org.jspecify.annotations.NullMarked
package org.mscclj.dlpack.ffm;
