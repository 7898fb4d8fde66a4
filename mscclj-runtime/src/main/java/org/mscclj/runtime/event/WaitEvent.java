package org.mscclj.runtime.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A thread joins launches. */
@Name("org.mscclj.Wait")
@Label("Wait")
@Description("A thread waits for launches of an operation to end, and may carry out work meanwhile")
@Category({"MSCCLJ", "Operations"})
@Enabled(false)
@StackTrace(false)
public final class WaitEvent extends Event {
    @Label("Communicator")
    @Description("Whose operation it is: the rank and the name of its communicator")
    String communicator = "";

    @Label("Operation")
    @Description("What is waited for, for example allreduce")
    String operation = "";

    @Label("Launch")
    @Description("The launch that is waited for, by its number among those of the operation, from 1")
    long launch;

    @Label("Ended")
    @Description("Whether it had ended when the wait was over; if not, the time was")
    boolean ended;

    private WaitEvent() {}

    /** An event that begins now. To be called only if {@link Events#recordWaits}. */
    public static WaitEvent begun() {
        WaitEvent event = new WaitEvent();
        event.begin();
        return event;
    }

    /** Ends the event; called if {@link #shouldCommit}. */
    public void commit(String whose, String what, long number, boolean reached) {
        communicator = whose;
        operation = what;
        launch = number;
        ended = reached;
        commit();
    }
}
