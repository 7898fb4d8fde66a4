/** Kernels of checks: their sources, and memory for their arguments. */
package org.mscclj.conformance.rank.kernel;
