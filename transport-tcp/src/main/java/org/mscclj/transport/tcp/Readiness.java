package org.mscclj.transport.tcp;

/** Of what the loop tells a greeting. Used by the loop's thread. */
@FunctionalInterface
interface Readiness {
    /** Whether to come back, too, when more can be written; always when something has come. */
    void writes(boolean also);
}
