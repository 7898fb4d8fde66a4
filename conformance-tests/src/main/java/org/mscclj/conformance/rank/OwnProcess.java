package org.mscclj.conformance.rank;

/** What a rank that is a process can do to itself. */
public interface OwnProcess {
    /** Whether it can be killed and stopped; if not, rules about that are skipped. */
    boolean canBeSignalled();

    /** Whether its connections can be cut, likewise. */
    boolean canBeCutOff();

    /** Ends it at once, as SIGKILL does. Does not return. */
    void kill();

    /** Stops all of its threads for so long, as SIGSTOP does, and lets them go on. */
    void stop(int seconds);

    /** Cuts the connections to all other processes. Nothing that it sends afterwards arrives anywhere; it goes on. */
    void cutOff();
}
