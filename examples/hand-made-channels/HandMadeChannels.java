import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;

/**
 * Two ranks that talk over channels made by hand, without any collective: what plans and algorithms are built from.
 *
 * <p>Both ranks run the same code, each in a thread of its own. The road to a channel is always the same:
 *
 * <ol>
 *   <li>register your memory, send its description to the peer, and receive the peer's;
 *   <li>connect to the peer;
 *   <li>make a semaphore over the connection: a counter on each side, by which one rank tells the other that data is there;
 *   <li>build a channel from the semaphore, the peer's memory (the target) and your own (the origin).
 * </ol>
 */
public final class HandMadeChannels {
    /** Each rank's memory: a part to send from, a part that the peer writes, and a part for packets. */
    private static final int PART = 1024;

    private static final int SEND = 0;
    private static final int RECEIVE = PART;
    private static final int PACKETS = 2 * PART;
    private static final int TOTAL = 4 * PART; // packets take twice the room of what they carry

    /** Waiting always has an end: if the peer does not come, an exception says so and names it. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private HandMadeChannels() {}

    /** Runs two ranks in this process. */
    public static void main(String[] arguments) {
        try (LocalGroup group = LocalGroup.open(2)) {
            group.run(HandMadeChannels::rank);
        }
        System.out.println("all data arrived");
    }

    private static void rank(Communicator communicator) {
        int rank = communicator.rank();
        int peer = 1 - rank;
        DeviceBuffer buffer = communicator.allocate(TOTAL);
        ChannelSetup setup = communicator.channels();

        // 1. Memory. The tag (0) tells several memories between the same two ranks apart.
        RegisteredMemory mine = setup.register(buffer);
        setup.sendMemory(mine, peer, 0);
        RegisteredMemory theirs = setup.receiveMemory(peer, 0);

        memoryChannel(setup, peer, buffer, mine, theirs);
        portChannel(setup, peer, buffer, mine, theirs);

        // Nobody closes memory that the other may still use.
        communicator.barrier();
    }

    /** A memory channel: this thread itself loads from and stores to the peer's memory. Best for small, urgent data. */
    private static void memoryChannel(
            ChannelSetup setup, int peer, DeviceBuffer buffer, RegisteredMemory mine, RegisteredMemory theirs) {
        RegisteredMemory packets = setup.register(buffer.slice(PACKETS, 2 * PART));

        // 2. and 3. The peer makes the same calls, so each call waits until it does.
        Connection connection = setup.connect(peer, 0, ChannelKind.MEMORY);
        Semaphore semaphore = setup.createSemaphore(connection, 0);

        // 4. Where the target comes from is up to you; here each rank writes into the other.
        try (MemoryChannel channel = setup.memoryChannel(semaphore, theirs, mine, packets)) {
            // put copies and says nothing; signal says "everything before is there"; await waits for the peer's signal.
            fill(buffer, 100 + peer);
            channel.put(RECEIVE, SEND, PART);
            channel.signal();
            channel.await(TIMEOUT);
            check("put", buffer, RECEIVE, 100 + 1 - peer);

            // get is the other way round: it fetches. The peer has filled its part before it signalled.
            channel.get(SEND, RECEIVE, PART);
            check("get", buffer, RECEIVE, 100 + 1 - peer);

            // Single words of 8 bytes. The peer may still be reading our memory: tell each other when done.
            long word = channel.read(SEND);
            channel.signal();
            channel.await(TIMEOUT);
            channel.write(RECEIVE, word + 1);
            channel.signal();
            channel.await(TIMEOUT);

            // Packets need no signal: every word travels with a flag, and who sees the flag has the word. The flag must
            // differ from that of the packets that lie there already; fresh memory holds zeros.
            int flag = 1;
            fill(buffer, 200 + peer);
            channel.putPackets(PACKETS, SEND, PART, flag, PacketType.LL16);
            channel.getPackets(0, RECEIVE, PART, flag, PacketType.LL16, TIMEOUT);
            check("packets", buffer, RECEIVE, 200 + 1 - peer);
        }
    }

    /** A port channel: a proxy moves the data in the background, over whatever transport reaches the peer. Best for large data. */
    private static void portChannel(
            ChannelSetup setup, int peer, DeviceBuffer buffer, RegisteredMemory mine, RegisteredMemory theirs) {
        // Connecting waits for the peer, so it has also finished with its packets, and its part may be written again.
        Connection connection = setup.connect(peer, 0, ChannelKind.PORT);
        System.out.println("rank " + peer + " is reached over transport " + connection.transport());
        Semaphore semaphore = setup.createSemaphore(connection, 0);
        try (PortChannel channel = setup.portChannel(semaphore, theirs, mine)) {
            fill(buffer, 300 + peer);
            channel.putWithSignal(RECEIVE, SEND, PART);
            // ... here this thread could compute, while the proxy moves the data ...
            channel.flush(TIMEOUT); // from here on our part may be written again
            fill(buffer, -1);
            channel.await(TIMEOUT); // and from here on the peer's data is here
            check("port", buffer, RECEIVE, 300 + 1 - peer);
        }
    }

    private static void fill(DeviceBuffer buffer, long value) {
        for (long offset = SEND; offset < SEND + PART; offset += Long.BYTES) {
            buffer.segment().set(ValueLayout.JAVA_LONG, offset, value);
        }
    }

    private static void check(String what, DeviceBuffer buffer, int from, long expected) {
        for (long offset = from; offset < from + PART; offset += Long.BYTES) {
            long found = buffer.segment().get(ValueLayout.JAVA_LONG, offset);
            if (found != expected) {
                throw new IllegalStateException(
                        what + ": found " + found + " at offset " + offset + ", expected " + expected);
            }
        }
    }
}
