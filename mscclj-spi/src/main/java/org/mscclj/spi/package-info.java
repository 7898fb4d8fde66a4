/**
 * The interfaces that vendors implement, and the common base of all providers.
 *
 * <p>A {@link org.mscclj.spi.Provider} is a cheap descriptor, found by {@link java.util.ServiceLoader}: loading it must
 * never fail, also where its native library is missing. Its {@code open} method creates the heavy object. The kinds are
 * {@link org.mscclj.spi.device.BackendProvider device backends}, {@link org.mscclj.spi.transport.TransportProvider
 * transports}, {@link org.mscclj.spi.multicast.MulticastProvider multicast} and
 * {@link org.mscclj.spi.fallback.FallbackProvider fallback communicators}.
 */
package org.mscclj.spi;
