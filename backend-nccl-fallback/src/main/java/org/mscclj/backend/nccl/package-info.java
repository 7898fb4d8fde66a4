/** The fallback providers that call NCCL and RCCL. */
package org.mscclj.backend.nccl;
