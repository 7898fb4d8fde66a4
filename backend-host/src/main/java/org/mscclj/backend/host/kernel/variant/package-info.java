/**
 * Variants of one kernel: copies of its class that differ in a constant, and its scalar and vector twins, the faster of
 * which is in use.
 */
package org.mscclj.backend.host.kernel.variant;
