package org.mscclj.backend.host.schedule;

import java.util.List;
import org.mscclj.spi.engine.LaunchOrder;

/** A resumable piece of work in a stream. */
public interface Command {
    /**
     * Carries the command on as far as it goes without waiting. Called when the command is at the front of its stream,
     * by one thread at a time; later calls see what earlier ones wrote.
     *
     * @param ticket what was passed when the command was enqueued
     * @return whether it has ended
     */
    boolean control(long ticket);

    /**
     * Does a part of the work that several threads can do at once. May be called at any time, also for a command that
     * is no longer at the front.
     *
     * @param worker a small number that differs among the threads at work, to start them at different places
     * @return how much was done; 0 if nothing could go on
     */
    default int assist(int worker) {
        return 0;
    }

    /** Whether {@link #control} has something to do now; saves claiming the stream in vain. */
    default boolean wantsControl() {
        return true;
    }

    /** The orders of the communicators whose launches this is, or has: they know which ranks keep it from ending. */
    default List<LaunchOrder> orders() {
        return List.of();
    }
}
