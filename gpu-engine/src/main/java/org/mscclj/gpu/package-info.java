/** Ranks on GPUs of any vendor: the backend, its devices, and the contexts that this process keeps open. */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu;
