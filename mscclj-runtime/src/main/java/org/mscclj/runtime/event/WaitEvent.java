package org.mscclj.runtime.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An event for a thread that joins launches. */
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

    /** Returns an event that begins now. Called only if {@link EventRecorder#recordWaits} returns true. */
    public static WaitEvent begun() {
        WaitEvent event = new WaitEvent();
        event.begin();
        return event;
    }

    /** Ends the event. Called if {@link #shouldCommit} returns true. */
    public void commit(String whose, String what, long number, boolean reached) {
        communicator = whose;
        operation = what;
        launch = number;
        ended = reached;
        commit();
    }
}
