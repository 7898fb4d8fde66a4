package org.mscclj.conformance.rank;

/** What a rank that is a process can do to itself. */
public interface OwnProcess {
    /** Whether it can; if not, rules about that are skipped. */
    boolean canBeSignalled();

    /** Ends it at once, as SIGKILL does. Does not return. */
    void kill();

    /** Stops all of its threads for so long, as SIGSTOP does, and lets them go on. */
    void stop(int seconds);
}
