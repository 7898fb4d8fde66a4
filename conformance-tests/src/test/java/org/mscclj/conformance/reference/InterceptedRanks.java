package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.group.WrappedRanks;

/** The host backend on one rank, but for calls that are intercepted. */
final class InterceptedRanks {
    private final int rank;
    private final Interception interception;

    private InterceptedRanks(int rank, Interception interception) {
        this.rank = rank;
        this.interception = interception;
    }

    /**
     * Groups whose calls are intercepted.
     *
     * @param interceptions makes that of a group
     */
    static RankGroups with(Supplier<Interception> interceptions, Duration timeout) {
        return (mode, world, kind) -> {
            LocalGroupOptions options = LocalGroupOptions.ranks(world)
                    .ranksPerNode(mode.ranksPerNode(world))
                    .strictHints(kind.refusesHints())
                    .compareCalls(kind.comparesCalls())
                    .timeout(kind.timeout(timeout));
            Interception interception = interceptions.get();
            return WrappedRanks.open(
                    options,
                    timeout,
                    (rank, inner) -> new InterceptedRanks(rank, interception).wrapped(Communicator.class, inner));
        };
    }

    private <T> T wrapped(Class<T> type, T inner) {
        return WrappedRanks.wrap(
                type, inner, (method, arguments) -> wrapped(interception.call(rank, inner, method, arguments)));
    }

    private Object wrapped(Object result) {
        return switch (result) {
            case null -> null;
            case Communicator communicator -> wrapped(Communicator.class, communicator);
            case Device device -> wrapped(Device.class, device);
            case PreparedOperation operation -> wrapped(PreparedOperation.class, operation);
            case Work work -> wrapped(Work.class, work);
            case Stream stream -> wrapped(Stream.class, stream);
            case Window window -> wrapped(Window.class, window);
            case ChannelSetup setup -> wrapped(ChannelSetup.class, setup);
            case MemoryChannel channel -> wrapped(MemoryChannel.class, channel);
            case PortChannel channel -> wrapped(PortChannel.class, channel);
            case Graph graph -> wrapped(Graph.class, graph);
            case Optional<?> optional -> optional.map(this::wrapped);
            default -> result;
        };
    }
}
