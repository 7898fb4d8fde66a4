package org.mscclj.backend.host.schedule;

import java.util.List;
import org.mscclj.spi.engine.LaunchOrder;

/** A resumable piece of work in a stream. */
public interface Command {
    /**
     * Advances the command as far as possible without waiting. Called when the command is at the front of its stream,
     * by one thread at a time; later calls see what earlier ones wrote.
     *
     * @param ticket the ticket that was passed when the command was enqueued
     * @return whether it has ended
     */
    boolean control(long ticket);

    /**
     * Carries out a part of the work that several threads can do concurrently. May be called at any time, also for a
     * command that is no longer at the front.
     *
     * @param worker a small number that is unique among the working threads, so that they start at different places
     * @return the amount of work done; 0 if no work could advance
     */
    default int assist(int worker) {
        return 0;
    }

    /** Whether {@link #control} has something to do now; avoids useless claims of the stream. */
    default boolean wantsControl() {
        return true;
    }

    /**
     * The orders of the communicators whose launches the command is, or contains: they find the ranks that keep it from
     * ending.
     */
    default List<LaunchOrder> orders() {
        return List.of();
    }
}
