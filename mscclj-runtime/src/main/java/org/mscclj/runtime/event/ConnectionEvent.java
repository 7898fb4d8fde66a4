package org.mscclj.runtime.event;

import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An event for the connection of two ranks by a transport. */
@Name("org.mscclj.Connection")
@Label("Connection")
@Description("A transport is connected to a peer, for port channels")
@Category({"MSCCLJ", "Transports"})
@StackTrace(false)
final class ConnectionEvent extends Event {
    @Label("Rank")
    @Description("The rank that connects, in its communicator")
    int rank;

    @Label("Peer")
    @Description("The rank that it connects to")
    int peer;

    @Label("Transport")
    @Description("The transport's name")
    String transport = "";

    @Label("Established")
    @Description("Whether the connection was established; if not, an exception says why")
    boolean established;

    private ConnectionEvent() {}

    static <T> T around(int rank, int peer, String transport, Supplier<T> connecting) {
        ConnectionEvent event = new ConnectionEvent();
        event.begin();
        boolean established = false;
        try {
            T connection = connecting.get();
            established = true;
            return connection;
        } finally {
            event.commit(rank, peer, transport, established);
        }
    }

    private void commit(int from, int to, String by, boolean succeeded) {
        if (shouldCommit()) {
            rank = from;
            peer = to;
            transport = by;
            established = succeeded;
            commit();
        }
    }
}
