/**
 * What the engine asks of the driver of a GPU, of whatever vendor: interfaces whose methods are calls of the driver.
 * Addresses and handles are {@code long}. Methods give the driver's result, {@link DriverErrors#SUCCESS} or an error,
 * unless they say otherwise; what a call gives besides is written into a segment of the caller. None throws because a
 * call fails, and those of launches, copies, streams and events allocate nothing unless they say so.
 */
@org.jspecify.annotations.NullMarked
package org.mscclj.gpu.driver;
