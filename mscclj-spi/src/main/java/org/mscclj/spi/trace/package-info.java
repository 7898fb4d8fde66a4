/**
 * Traces of what the thread blocks of plans do, as Chrome and Perfetto show them. Where a process is not told to trace,
 * engines make none of this.
 */
package org.mscclj.spi.trace;
