/**
 * Traces of the operations of plans' thread blocks, for Chrome and Perfetto. Where tracing is off, engines create no
 * trace.
 */
package org.mscclj.spi.trace;
