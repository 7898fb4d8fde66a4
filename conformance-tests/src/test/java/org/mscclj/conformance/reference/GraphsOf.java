package org.mscclj.conformance.reference;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.conformance.group.LocalRankGroup;
import org.mscclj.conformance.group.RankGroups;

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
            LocalGroup group = LocalGroup.open(LocalGroupOptions.ranks(world)
                    .ranksPerNode(mode.ranksPerNode(world))
                    .timeout(kind.timeout(timeout)));
            Communicator[] ranks = new Communicator[world];
            for (int rank = 0; rank < world; rank++) {
                ranks[rank] = new GraphsOf(defects.apply(rank)).wrapped(Communicator.class, group.communicator(rank));
            }
            LocalGroup wrapped = (LocalGroup) Proxy.newProxyInstance(
                    GraphsOf.class.getClassLoader(),
                    new Class<?>[] {LocalGroup.class},
                    (proxy, method, arguments) -> method.getName().equals("communicator")
                            ? ranks[(int) arguments[0]]
                            : invoke(group, method, arguments));
            return new LocalRankGroup(wrapped, timeout);
        };
    }

    /** What wraps another object, and gives it away. */
    private interface Wrapper {
        Object inner();
    }

    private <T> T wrapped(Class<T> type, T inner) {
        return type.cast(Proxy.newProxyInstance(
                GraphsOf.class.getClassLoader(), new Class<?>[] {type, Wrapper.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("inner")) {
                        return inner;
                    }
                    if (inner instanceof Graph graph && method.getName().equals("launch")) {
                        defect.launch(graph, (Stream) unwrapped(arguments[0]));
                        return null;
                    }
                    if (inner instanceof Graph && method.getName().equals("close")) {
                        defect.opened(-1);
                    }
                    if (inner instanceof Communicator
                            && method.getName().equals("isAborted")
                            && !defect.tellsOfAborts()) {
                        return false;
                    }
                    boolean waits = inner instanceof Stream || inner instanceof Communicator;
                    if (waits
                            && (method.getName().equals("synchronize")
                                    || method.getName().equals("close"))) {
                        defect.beforeWaiting();
                    }
                    return wrapped(invoke(inner, method, arguments));
                }));
    }

    private Object wrapped(Object result) {
        return switch (result) {
            case null -> null;
            case Communicator communicator -> wrapped(Communicator.class, communicator);
            case Device device -> wrapped(Device.class, device);
            case PreparedOperation operation -> wrapped(PreparedOperation.class, operation);
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

    private static Object unwrapped(Object argument) {
        return argument instanceof Wrapper wrapper ? wrapper.inner() : argument;
    }

    private static Object invoke(Object inner, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(
                    inner,
                    arguments == null
                            ? new Object[0]
                            : Arrays.stream(arguments).map(GraphsOf::unwrapped).toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
