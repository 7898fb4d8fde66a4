package org.mscclj.conformance.rank;

/** What a rank that is a process can do to its own process. */
public interface OwnProcess {
    /** Returns whether the process can be killed and stopped. If not, rules that need this are skipped. */
    boolean canBeSignalled();

    /** Returns whether the connections of the process can be cut. If not, rules that need this are skipped. */
    boolean canBeCutOff();

    /** Ends the process at once, as SIGKILL does. Does not return. */
    void kill();

    /** Stops all threads of the process for a number of seconds, as SIGSTOP does, and then continues them. */
    void stop(int seconds);

    /**
     * Cuts the connections to all other processes. The process continues, but nothing that it sends afterwards arrives.
     */
    void cutOff();
}
