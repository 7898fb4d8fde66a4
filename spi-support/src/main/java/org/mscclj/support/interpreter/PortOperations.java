package org.mscclj.support.interpreter;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.Operation;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;
import org.mscclj.spi.engine.PortBinding;
import org.mscclj.spi.engine.PortBuffers;
import org.mscclj.spi.engine.PortBuffers.Region;
import org.mscclj.spi.proxy.Trigger;

/**
 * The operations of a block on port channels.
 *
 * @param operands resolves the operands
 */
record PortOperations(ContextSpec spec, LaunchSpec launch, Operands operands) {
    /** Signals, or flushes, each of some channels of the block. */
    Stream<Action> request(List<Integer> channels, int type) {
        return channels.stream().flatMap(id -> Ports.request(binding(id), type));
    }

    /** Puts each source to its destination. Every channel that signals or flushes does so after its last put. */
    Stream<Action> put(Operation.Data data, IterationRange part) {
        int type = (data.kind().signals() ? Trigger.SIGNAL : 0) | (data.kind().flushes() ? Trigger.FLUSH : 0);
        List<Stream<Action>> actions = new ArrayList<>();
        for (int k = 0; k < data.destinations().size(); k++) {
            int channel = data.channelIds().get(data.channelOf(k));
            actions.add(Stream.of(copy(data, k, channel, part)));
            boolean last =
                    data.channelIds().size() > 1 || k == data.destinations().size() - 1;
            if (type != 0 && last) {
                actions.add(Ports.request(binding(channel), type));
            }
        }
        return actions.stream().flatMap(each -> each);
    }

    private Action copy(Operation.Data data, int k, int channel, IterationRange part) {
        boolean packets = data.kind().packets();
        ChunkRef source = data.sources().get(Math.min(k, data.sources().size() - 1));
        ChunkRef destination = data.destinations().get(k);
        PortBuffers buffers = launch.ports().get(operands.block().channel(ChannelType.PORT, channel));
        PortBinding port = binding(channel);
        Region from = region(operands.buffer(source, data), buffers.input(), buffers.output(), port.scratchId());
        Region to = region(
                operands.buffer(destination, data), buffers.peerInput(), buffers.peerOutput(), port.peerScratchId());
        return new Ports.Copy(
                port,
                new Ports.Registered(operands.offsets(source, data, packets, from.offset()), from.id()),
                new Ports.Registered(operands.offsets(destination, data, packets, to.offset()), to.id()),
                part);
    }

    private static Region region(BufferType buffer, Region input, Region output, int scratch) {
        return switch (buffer) {
            case INPUT -> input;
            case OUTPUT -> output;
            case SCRATCH -> new Region(scratch, 0);
        };
    }

    private PortBinding binding(int channel) {
        return spec.ports().get(operands.block().channel(ChannelType.PORT, channel));
    }
}
