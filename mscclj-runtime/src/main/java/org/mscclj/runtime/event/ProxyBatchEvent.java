package org.mscclj.runtime.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An event for triggers that a proxy carries out. */
@Name("org.mscclj.ProxyBatch")
@Label("Proxy Batch")
@Description("The proxy of port channels takes triggers from its ring, and starts their transfers and signals")
@Category({"MSCCLJ", "Transports"})
@Enabled(false)
@StackTrace(false)
public final class ProxyBatchEvent extends Event {
    @Label("Communicator")
    @Description("Whose proxy it is: the rank and the name of its communicator")
    String communicator = "";

    @Label("Triggers")
    @Description("How many triggers were taken")
    int triggers;

    @Label("Completed")
    @Description("How many flushes were answered, of these triggers or of earlier ones")
    int completed;

    @Label("In Flight")
    @Description("How many semaphores have transfers under way afterwards")
    int inFlight;

    private ProxyBatchEvent() {}

    /** Returns an event that begins now. Called only if {@link EventRecorder#recordProxies} returns true. */
    public static ProxyBatchEvent begun() {
        ProxyBatchEvent event = new ProxyBatchEvent();
        event.begin();
        return event;
    }

    /** Ends the event. Called if {@link #shouldCommit} returns true. */
    public void commit(String whose, int taken, int answered, int left) {
        communicator = whose;
        triggers = taken;
        completed = answered;
        inFlight = left;
        commit();
    }
}
