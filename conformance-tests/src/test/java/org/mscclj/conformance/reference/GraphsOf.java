package org.mscclj.conformance.reference;

import java.time.Duration;
import java.util.Optional;
import java.util.function.IntFunction;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.group.WrappedRanks;

/** The host backend on one rank, but for its graphs, which are wrong in the way that a defect says. */
final class GraphsOf {
    private final GraphDefect defect;

    private GraphsOf(GraphDefect defect) {
        this.defect = defect;
    }

    /**
     * Groups with a defect.
     *
     * @param defects makes the defect of a rank
     */
    static RankGroups with(IntFunction<GraphDefect> defects, Duration timeout) {
        return (mode, world, kind) -> {
            LocalGroupOptions options = LocalGroupOptions.ranks(world)
                    .ranksPerNode(mode.ranksPerNode(world))
                    .timeout(kind.timeout(timeout));
            return WrappedRanks.open(
                    options,
                    timeout,
                    (rank, inner) -> new GraphsOf(defects.apply(rank)).wrapped(Communicator.class, inner));
        };
    }

    private <T> T wrapped(Class<T> type, T inner) {
        return WrappedRanks.wrap(type, inner, (method, arguments) -> {
            if (inner instanceof Graph graph && method.getName().equals("launch")) {
                defect.launch(graph, (Stream) WrappedRanks.unwrapped(arguments[0]));
                return null;
            }
            if (inner instanceof Graph && method.getName().equals("close")) {
                defect.opened(-1);
            }
            if (inner instanceof Communicator && method.getName().equals("isAborted") && !defect.tellsOfAborts()) {
                return false;
            }
            boolean waits = inner instanceof Stream || inner instanceof Communicator;
            if (waits
                    && (method.getName().equals("synchronize")
                            || method.getName().equals("close"))) {
                defect.beforeWaiting();
            }
            return wrapped(WrappedRanks.invoke(inner, method, arguments));
        });
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
            case Graph graph -> {
                defect.opened(1);
                yield wrapped(Graph.class, graph);
            }
            case Optional<?> optional -> optional.map(this::wrapped);
            default -> result;
        };
    }
}
