package org.mscclj.runtime.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.mscclj.api.hook.OperationDescription;

/** An event for a launch that is enqueued. */
@Name("org.mscclj.Operation")
@Label("Operation")
@Description("A launch of an operation is enqueued, or a graph with it is; the duration is the time that enqueueing"
        + " takes, not the operation")
@Category({"MSCCLJ", "Operations"})
@Enabled(false)
@StackTrace(false)
public final class OperationEvent extends Event {
    @Label("Communicator")
    @Description("Whose operation it is: the rank and the name of its communicator")
    String communicator = "";

    @Label("Operation")
    @Description("What is called, for example allreduce")
    String operation = "";

    @Label("Algorithm")
    @Description("The plan or algorithm that runs")
    String algorithm = "";

    @Label("Data Type")
    @Description("The type of elements; empty if there is none")
    String dataType = "";

    @Label("Reduction")
    @Description("The reduce operation; empty if nothing is reduced")
    String reduction = "";

    @Label("Root")
    @Description("The root; -1 if there is none")
    int root;

    @Label("Message Size")
    @Description("Size of the message: of the output for allgather, of the input otherwise")
    @DataAmount
    long bytes;

    @Label("Sequence")
    @Description("The launch's position among those of the communicator, from 1; 0 if it was captured into a graph")
    long sequence;

    private OperationEvent() {}

    /** Returns an event that begins now. Called only if {@link EventRecorder#recordOperations} returns true. */
    public static OperationEvent begun() {
        OperationEvent event = new OperationEvent();
        event.begin();
        return event;
    }

    /** Ends the event. Called if {@link #shouldCommit} returns true. */
    public void commit(String whose, OperationDescription what, long position) {
        communicator = whose;
        operation = what.operation();
        algorithm = what.algorithm();
        dataType = what.type();
        reduction = what.reduction();
        root = what.root();
        bytes = what.bytes();
        sequence = position;
        commit();
    }
}
