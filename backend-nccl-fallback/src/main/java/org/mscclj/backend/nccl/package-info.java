/** The fallback provider that calls NCCL. */
package org.mscclj.backend.nccl;
