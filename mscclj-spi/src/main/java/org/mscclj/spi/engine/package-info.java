/**
 * Plan engines, which compile a plan into launches of a device.
 *
 * <p>The runtime owns all memory and connections of a plan's {@link org.mscclj.spi.engine.EngineContext context}: it
 * allocates scratch and counters by {@link org.mscclj.spi.engine.ContextLayout}, exchanges handles, maps peers, and
 * connects port channels to proxies. The engine receives addresses and sizes, compiles, and launches.
 */
package org.mscclj.spi.engine;
