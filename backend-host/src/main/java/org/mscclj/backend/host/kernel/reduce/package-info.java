/**
 * Kernels that reduce buffers of elements.
 *
 * <p>Every kernel addresses memory by absolute address, allocates nothing, and exists twice: with the Vector API, and
 * as a scalar twin, which is the oracle in tests and the replacement where the incubator module is absent.
 */
package org.mscclj.backend.host.kernel.reduce;
