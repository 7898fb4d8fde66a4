package org.mscclj.conformance.rank.refusal;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;

/**
 * Checks refusals of channels between neighbours of a node. Bad combinations of the channel's parts are refused first,
 * then bad uses of the channel. After these a correct use works: exactly one signal arrives. A closed channel refuses
 * every use. A rank without a neighbour only tries the calls that need none.
 */
final class ChannelRefusalCheck {
    private static final long BYTES = 1024;

    /** An offset in bytes at which neither words of 8 bytes nor packets are aligned. */
    private static final long SHIFT = 4;

    private static final int PORT_TAG = 201;
    private static final int MEMORY_TAG = 202;
    private static final int MEETING_TAG = 203;

    private final RankContext context;
    private final ChannelSetup setup;

    private ChannelRefusalCheck(RankContext context) {
        this.context = context;
        this.setup = context.communicator().channels();
    }

    static RankCheck check() {
        return context -> new ChannelRefusalCheck(context).tryAllKinds();
    }

    /** Returns a check over memory that is not aligned for packets and words. Copies of bytes work there. */
    static RankCheck ofMisaligned() {
        return context -> new ChannelRefusalCheck(context).tryMisaligned();
    }

    private void tryMisaligned() {
        try (DeviceBuffer inbox = context.communicator().device().allocate(2 * BYTES);
                DeviceBuffer outbox = context.communicator().device().allocate(BYTES)) {
            neighbour().ifPresent(peer -> tryMisaligned(peer, inbox.slice(SHIFT, BYTES), outbox));
        }
    }

    private void tryMisaligned(int peer, DeviceBuffer inbox, DeviceBuffer outbox) {
        try (RegisteredMemory received = setup.register(inbox);
                RegisteredMemory origin = setup.register(outbox)) {
            setup.sendMemory(received, peer, MEMORY_TAG);
            try (RegisteredMemory target = setup.receiveMemory(peer, MEMORY_TAG);
                    Connection mapped = setup.connect(peer, MEMORY_TAG, ChannelKind.MEMORY);
                    Semaphore semaphore = setup.createSemaphore(mapped, MEMORY_TAG)) {
                tryAll(BadChannels.ofMisalignedPackets(
                        new BadChannels.Ends(setup, semaphore, target, origin), received, inbox));
                try (MemoryChannel channel = setup.memoryChannel(semaphore, target, origin)) {
                    tryAll(BadChannels.ofMisaligned(channel));
                    channel.put(0, 1, BYTES - 1);
                    channel.signal();
                    channel.await(context.timeout());
                    meet(peer, received);
                }
            }
        }
    }

    private void tryAll(List<BadCall> calls) {
        for (BadCall call : calls) {
            call.problem().ifPresent(problem -> context.report(FindingKind.BEHAVIOUR, problem));
        }
    }

    private void tryAllKinds() {
        try (DeviceBuffer inbox = context.communicator().device().allocate(BYTES);
                DeviceBuffer outbox = context.communicator().device().allocate(BYTES)) {
            tryAll(BadChannels.ofSetUp(context.communicator(), inbox));
            neighbour().ifPresent(peer -> check(peer, inbox, outbox));
        }
    }

    private Optional<Integer> neighbour() {
        int peer = context.rank() ^ 1;
        int ranksPerNode = context.communicator().ranksPerNode();
        return peer < context.test().world() && peer / ranksPerNode == context.rank() / ranksPerNode
                ? Optional.of(peer)
                : Optional.empty();
    }

    private void check(int peer, DeviceBuffer inbox, DeviceBuffer outbox) {
        try (RegisteredMemory received = setup.register(inbox);
                RegisteredMemory origin = setup.register(outbox)) {
            setup.sendMemory(received, peer, MEMORY_TAG);
            try (RegisteredMemory target = setup.receiveMemory(peer, MEMORY_TAG);
                    Connection mapped = setup.connect(peer, MEMORY_TAG, ChannelKind.MEMORY);
                    Connection ports = setup.connect(peer, PORT_TAG, ChannelKind.PORT);
                    Semaphore ofMemory = setup.createSemaphore(mapped, MEMORY_TAG);
                    Semaphore ofPorts = setup.createSemaphore(ports, PORT_TAG)) {
                tryAll(BadChannels.ofMemoryParts(new BadChannels.Ends(setup, ofMemory, target, origin), ofPorts));
                tryAll(BadChannels.ofPortParts(new BadChannels.Ends(setup, ofPorts, target, origin), ofMemory));
                checkMemory(setup.memoryChannel(ofMemory, target, origin, received), () -> meet(peer, received));
                checkPort(setup.portChannel(ofPorts, target, origin), () -> meet(peer, received));
            }
        }
    }

    /** Returns when the neighbour has reached this call, too. */
    private void meet(int peer, RegisteredMemory any) {
        setup.sendMemory(any, peer, MEETING_TAG);
        setup.receiveMemory(peer, MEETING_TAG).close();
    }

    private void checkMemory(MemoryChannel channel, Runnable meeting) {
        try (channel) {
            tryAll(BadChannels.of(channel, BYTES));
            channel.put(0, 0, BYTES);
            channel.signal();
            channel.await(context.timeout());
            meeting.run(); // a superfluous signal would have arrived by now
            requireNoSignal(channel.poll());
        }
        meeting.run();
        tryAll(BadChannels.ofClosed(channel));
    }

    private void checkPort(PortChannel channel, Runnable meeting) {
        try (channel) {
            tryAll(BadChannels.of(channel, BYTES));
            channel.putWithSignalAndFlush(0, 0, BYTES, context.timeout());
            channel.await(context.timeout());
            meeting.run();
            requireNoSignal(channel.poll());
        }
        meeting.run();
        tryAll(BadChannels.ofClosed(channel));
    }

    private void requireNoSignal(boolean more) {
        if (more) {
            context.report(FindingKind.BEHAVIOUR, "a call that was refused has raised a counter of the peer");
        }
    }
}
