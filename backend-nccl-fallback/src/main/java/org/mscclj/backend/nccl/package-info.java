/** NCCL behind the interfaces of fallback providers. */
package org.mscclj.backend.nccl;
