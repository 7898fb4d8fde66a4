/** The CUDA backend: ranks on NVIDIA GPUs, as threads of one process or as processes. */
package org.mscclj.backend.cuda;
