package org.mscclj.runtime.event;

import java.util.Locale;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A plan is made ready. */
@Name("org.mscclj.PlanCompile")
@Label("Plan Compile")
@Description("A plan is made ready for launches on one rank")
@Category({"MSCCLJ", "Plans"})
@StackTrace(false)
public final class PlanEvent extends Event {
    /** What is done to a plan. */
    public enum Phase {
        /** Its correctness is looked for, for all ranks. */
        VERIFY,
        /** Memory, mappings and port channels are set up, together with the other ranks. */
        SET_UP,
        /** It is compiled for one size and pair of buffers. */
        COMPILE
    }

    @Label("Plan")
    @Description("The plan's name")
    String plan = "";

    @Label("Rank")
    @Description("The rank, in its communicator")
    int rank;

    @Label("Phase")
    @Description(
            "What is done: verify, set_up (memory, mappings and port channels, with the other ranks) or compile (for one size and pair of buffers)")
    String phase = "";

    /** An event that has not begun. */
    public PlanEvent() {}

    /** Ends the event, if it is recorded. */
    public void commit(String name, int who, Phase what) {
        if (shouldCommit()) {
            plan = name;
            rank = who;
            phase = what.name().toLowerCase(Locale.ROOT);
            commit();
        }
    }
}
