package org.mscclj.conformance.rank.loss;

import org.mscclj.api.Communicator;
import org.mscclj.api.channel.Channel;
import org.mscclj.api.channel.ChannelKind;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.Connection;
import org.mscclj.api.channel.RegisteredMemory;
import org.mscclj.api.channel.Semaphore;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.MsccljException;
import org.mscclj.conformance.rank.FindingKind;
import org.mscclj.conformance.rank.RankCheck;
import org.mscclj.conformance.rank.RankContext;
import org.mscclj.conformance.task.Opened;

/**
 * Checks a rank that closes its communicator while others wait on channels. A host thread that waits for the last rank
 * on a channel that it has set up receives a {@link org.mscclj.api.error.RankLostException}. The communicator is not
 * aborted. A signal that the rank has sent before it closed is still received.
 *
 * @param kind the kind of the channels
 */
record ClosedChannelCheck(ChannelKind kind) implements RankCheck {
    private static final int BYTES = 64;
    private static final int TAG = 104;

    /** Two channels between two ranks. The rank that closes signals one of them before. */
    private record Channels(Channel vain, Channel signalled) {}

    @Override
    public void check(RankContext context) {
        int last = context.test().world() - 1;
        if (ClosedRank.isAlone(context)) {
            return;
        }
        try (Opened opened = new Opened()) {
            Communicator communicator = opened.add(context.second(), Communicator::close);
            if (context.rank() == last) {
                for (int peer = 0; peer < last; peer++) {
                    if (reaches(communicator, peer, last)) {
                        open(communicator, peer, opened).signalled.signal();
                    }
                }
                context.communicator().barrier(); // all ranks have their resources
                ClosedRank.closeWhileOthersCall(context, communicator);
            } else {
                if (reaches(communicator, context.rank(), last)) {
                    await(context, open(communicator, last, opened), last);
                } else {
                    context.report(FindingKind.NO_PART, "rank " + last + " is on another node");
                    context.communicator().barrier();
                }
                ClosedRank.requireNotAborted(context, communicator);
                context.communicator().barrier();
            }
        }
    }

    private boolean reaches(Communicator communicator, int rank, int last) {
        int node = communicator.ranksPerNode();
        return kind == ChannelKind.PORT || rank / node == last / node;
    }

    private static void await(RankContext context, Channels channels, int last) {
        context.communicator().barrier();
        ClosedRank.requireTold(context, "a wait on a channel", last, () -> channels.vain.await(context.timeout()));
        try {
            channels.signalled.await(context.timeout());
        } catch (MsccljException e) {
            context.report(
                    FindingKind.BEHAVIOUR,
                    "a signal that rank " + last + " had sent before it closed its communicator was not received: "
                            + e.getMessage());
        }
    }

    private Channels open(Communicator communicator, int peer, Opened opened) {
        ChannelSetup setup = communicator.channels();
        DeviceBuffer buffer = opened.add(communicator.device().allocate(BYTES), DeviceBuffer::close);
        RegisteredMemory own = opened.add(setup.register(buffer), RegisteredMemory::close);
        setup.sendMemory(own, peer, TAG);
        RegisteredMemory theirs = opened.add(setup.receiveMemory(peer, TAG), RegisteredMemory::close);
        Connection connection = opened.add(setup.connect(peer, TAG, kind), Connection::close);
        Channel[] channels = new Channel[2];
        for (int i = 0; i < channels.length; i++) {
            Semaphore semaphore = opened.add(setup.createSemaphore(connection, TAG + i), Semaphore::close);
            Channel channel = kind == ChannelKind.MEMORY
                    ? setup.memoryChannel(semaphore, theirs, own)
                    : setup.portChannel(semaphore, theirs, own);
            channels[i] = opened.add(channel, Channel::close);
        }
        return new Channels(channels[0], channels[1]);
    }
}
