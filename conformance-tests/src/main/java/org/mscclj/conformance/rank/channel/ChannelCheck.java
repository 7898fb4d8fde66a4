package org.mscclj.conformance.rank.channel;

import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.conformance.element.Elements;
import org.mscclj.conformance.rank.CaseBuffers;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.scenario.CaseData;
import org.mscclj.conformance.scenario.TestCase;

/**
 * Checks channels between neighbours that the application sets up. Even ranks put to the next rank and signal it; that
 * rank waits, compares the data, and signals back. A rank without a partner does nothing; nor does a rank whose partner
 * is on another node if the channel needs mapped memory.
 */
final class ChannelCheck implements RankCheck {
    private static final int ROUNDS = 20;
    private static final int MEMORY_TAG = 101;
    private static final int CHANNEL_TAG = 102;

    private final ChannelKind kind;

    ChannelCheck(ChannelKind kind) {
        this.kind = kind;
    }

    @Override
    public void check(RankContext context) {
        int peer = context.rank() ^ 1;
        TestCase test = context.test();
        if (peer >= test.world()) {
            context.report(FindingKind.NO_PART, "there is no rank " + peer + " to have a channel with");
            return;
        }
        int ranksPerNode = context.communicator().ranksPerNode();
        if (kind == ChannelKind.MEMORY && peer / ranksPerNode != context.rank() / ranksPerNode) {
            context.report(FindingKind.NO_PART, "memory is mapped within a node, and rank " + peer + " is on another");
            return;
        }
        ChannelSetup setup = context.communicator().channels();
        try (CaseBuffers buffers = CaseBuffers.allocate(context.communicator(), test.registered(false));
                RegisteredMemory origin = setup.register(buffers.input());
                RegisteredMemory inbox = setup.register(buffers.output())) {
            setup.sendMemory(inbox, peer, MEMORY_TAG);
            try (RegisteredMemory target = setup.receiveMemory(peer, MEMORY_TAG);
                    Connection connection = setup.connect(peer, CHANNEL_TAG, kind);
                    Semaphore semaphore = setup.createSemaphore(connection, CHANNEL_TAG)) {
                if (kind == ChannelKind.PORT) {
                    try (PortChannel channel = setup.portChannel(semaphore, target, origin)) {
                        exchange(
                                context,
                                buffers,
                                bytes -> {
                                    channel.putWithSignal(0, 0, bytes);
                                    channel.flush(context.timeout());
                                },
                                () -> channel.await(context.timeout()),
                                channel::signal);
                    }
                } else {
                    try (MemoryChannel channel = setup.memoryChannel(semaphore, target, origin)) {
                        exchange(
                                context,
                                buffers,
                                bytes -> {
                                    channel.put(0, 0, bytes);
                                    channel.signal();
                                },
                                () -> channel.await(context.timeout()),
                                channel::signal);
                    }
                }
            }
        }
    }

    @FunctionalInterface
    private interface Put {
        void put(long bytes);
    }

    private static void exchange(RankContext context, CaseBuffers buffers, Put put, Runnable await, Runnable signal) {
        boolean sends = context.rank() % 2 == 0;
        for (int round = 0; round < ROUNDS && !context.hasFindings(); round++) {
            TestCase test = context.test().seed(context.test().seed() + round);
            CaseData data = new CaseData(test);
            buffers.fill(data);
            if (sends) {
                await.run(); // the peer has poisoned its memory
                put.put(test.inputBytes());
                await.run();
            } else {
                signal.run();
                await.run();
                requireReceived(context, data, buffers);
                signal.run();
            }
        }
    }

    private static void requireReceived(RankContext context, CaseData data, CaseBuffers buffers) {
        buffers.download();
        Elements output = buffers.outputElements();
        for (long i = 0; i < output.count(); i++) {
            if (output.get(i) != data.input(context.rank() ^ 1, i)) {
                context.report(FindingKind.BEHAVIOUR, "a put did not bring element " + i + " before its signal");
                return;
            }
        }
    }
}
