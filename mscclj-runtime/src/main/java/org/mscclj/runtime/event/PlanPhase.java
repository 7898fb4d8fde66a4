package org.mscclj.runtime.event;

/** A phase in which a plan is made ready. */
public enum PlanPhase {
    /** The plan is verified, for all ranks. */
    VERIFY,
    /** Memory, mappings and port channels are set up, together with the other ranks. */
    SET_UP,
    /** The plan is compiled for one size and pair of buffers. */
    COMPILE
}
