/**
 * Plan engines: what turns a plan into something that a device can launch.
 *
 * <p>The runtime owns all memory and wiring of a plan's {@link org.mscclj.spi.engine.EngineContext context}: it
 * allocates scratch and counters by {@link org.mscclj.spi.engine.ContextLayout}, exchanges handles, maps peers, and
 * connects port channels to proxies. The engine gets addresses and sizes, compiles, and launches.
 */
package org.mscclj.spi.engine;
