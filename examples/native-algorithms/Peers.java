import java.util.SortedMap;
import java.util.TreeMap;
import org.mscclj.api.Communicator;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.Connection;

/** Connections to all other ranks: what an algorithm makes once, whatever the buffers of its calls. */
final class Peers implements AutoCloseable {
    private final ChannelKind kind;
    private final Parts parts = new Parts();
    private final SortedMap<Integer, Connection> connections = new TreeMap<>();

    /** Creates an object without connections. */
    Peers(ChannelKind kind) {
        this.kind = kind;
    }

    /** Connects to all other ranks, which do the same. If that fails, {@link #close} closes what was connected. */
    void connect(Communicator communicator, int tag) {
        for (int peer = 0; peer < communicator.size(); peer++) {
            if (peer != communicator.rank()) {
                connections.put(peer, parts.add(communicator.channels().connect(peer, tag, kind)));
            }
        }
    }

    ChannelKind kind() {
        return kind;
    }

    /** Returns the connections by peer, in the order of ranks. */
    SortedMap<Integer, Connection> connections() {
        return connections;
    }

    @Override
    public void close() {
        parts.close();
    }
}
