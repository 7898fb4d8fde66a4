package org.mscclj.runtime.event;

import java.util.Locale;
import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An event for a phase in which a plan is made ready. */
@Name("org.mscclj.PlanCompile")
@Label("Plan Compile")
@Description("A plan is made ready for launches on one rank")
@Category({"MSCCLJ", "Plans"})
@StackTrace(false)
final class PlanEvent extends Event {
    @Label("Plan")
    @Description("The plan's name")
    String plan = "";

    @Label("Rank")
    @Description("The rank, in its communicator")
    int rank;

    @Label("Phase")
    @Description("What is done: verify, set_up (memory, mappings and port channels, with the other ranks) or compile"
            + " (for one size and pair of buffers)")
    String phase = "";

    @Label("Ready")
    @Description("Whether that was done; if not, an exception says why")
    boolean ready;

    private PlanEvent() {}

    static <T> T around(String name, int who, PlanPhase what, Supplier<T> work) {
        PlanEvent event = new PlanEvent();
        event.begin();
        boolean done = false;
        try {
            T result = work.get();
            done = true;
            return result;
        } finally {
            event.commit(name, who, what, done);
        }
    }

    private void commit(String name, int who, PlanPhase what, boolean done) {
        if (shouldCommit()) {
            plan = name;
            rank = who;
            phase = what.name().toLowerCase(Locale.ROOT);
            ready = done;
            commit();
        }
    }
}
