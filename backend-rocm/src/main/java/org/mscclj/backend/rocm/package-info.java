/** The ROCm backend: ranks on AMD GPUs, as threads of one process or as processes. */
package org.mscclj.backend.rocm;
