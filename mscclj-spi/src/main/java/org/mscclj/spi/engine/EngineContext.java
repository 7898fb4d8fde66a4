package org.mscclj.spi.engine;

/**
 * A plan on one rank: flags, counters and scratch that persist from launch to launch. Not shared with other plans or
 * communicators.
 */
public interface EngineContext extends AutoCloseable {
    /** Compiles a launch. Expensive; happens once for each size and pair of buffers. */
    PreparedLaunch prepare(LaunchSpec spec);

    /** Frees what the context holds; its launches must have ended. Idempotent. */
    @Override
    void close();
}
