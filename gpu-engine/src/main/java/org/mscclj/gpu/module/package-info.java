/** Compiled kernels on a GPU. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.module;
