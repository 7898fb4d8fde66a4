/**
 * The interface between the engine and the driver of a GPU, for any vendor: interfaces whose methods are calls of the
 * driver. Addresses and handles are {@code long}. Methods return the driver's result, {@link DriverErrors#SUCCESS} or
 * an error, unless their javadoc specifies otherwise; other outputs are written into a segment of the caller. No method
 * throws because a call fails. Launches, copies, streams and events allocate nothing, unless their javadoc specifies
 * otherwise.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.driver;
