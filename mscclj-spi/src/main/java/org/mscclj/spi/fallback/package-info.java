/**
 * Whole communicators of another library (NCCL, RCCL), used where neither a plan nor a native algorithm serves a call.
 */
package org.mscclj.spi.fallback;
