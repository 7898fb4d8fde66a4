/**
 * Inner loops on native memory: reductions, scaling, packets.
 *
 * <p>Every kernel addresses memory by absolute address, allocates nothing, and exists twice: with the Vector API, and
 * as a scalar twin that is the oracle in tests and takes over where the incubator module is absent.
 */
package org.mscclj.backend.host.kernel;
