package org.mscclj.transport.tcp.channel;

/** The events that a greeting receives from the loop. Only the loop's thread uses it. */
@FunctionalInterface
public interface Readiness {
    /** Sets whether the loop also calls back when bytes can be written. It always does when bytes have arrived. */
    void writes(boolean also);
}
