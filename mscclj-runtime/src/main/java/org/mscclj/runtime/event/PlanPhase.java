package org.mscclj.runtime.event;

/** What is done to a plan. */
public enum PlanPhase {
    /** Its correctness is looked for, for all ranks. */
    VERIFY,
    /** Memory, mappings and port channels are set up, together with the other ranks. */
    SET_UP,
    /** It is compiled for one size and pair of buffers. */
    COMPILE
}
