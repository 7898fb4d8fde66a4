package org.mscclj.runtime.event;

import java.util.Locale;
import java.util.function.Supplier;
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
final class PlanEvent extends Event {
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

    private PlanEvent() {}

    static <T> T around(String name, int who, PlanPhase what, Supplier<T> work) {
        PlanEvent event = new PlanEvent();
        event.begin();
        T result = work.get();
        if (event.shouldCommit()) {
            event.plan = name;
            event.rank = who;
            event.phase = what.name().toLowerCase(Locale.ROOT);
            event.commit();
        }
        return result;
    }
}
