package org.mscclj.conformance.rule;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Window;
import org.mscclj.api.Work;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.channel.MemoryChannel;
import org.mscclj.api.channel.PortChannel;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.group.RankGroups;
import org.mscclj.conformance.group.WrappedRanks;

/** Ranks of the CPU backend, of which each call that is refused is written down. Safe for use by several threads. */
final class RecordedRefusals {
    /** What is wrapped, so that its calls are seen; buffers are not, since records of calls hold them. */
    static final List<Class<?>> INTERFACES = List.of(
            Communicator.class,
            PreparedOperation.class,
            Work.class,
            Window.class,
            Device.class,
            Stream.class,
            Event.class,
            Graph.class,
            ChannelSetup.class,
            MemoryChannel.class,
            PortChannel.class);

    private final Set<String> refused = new ConcurrentSkipListSet<>();

    /** What was refused: methods, and methods with the number of an argument that was null. */
    Set<String> refused() {
        return refused;
    }

    /** For example {@code Stream.copy(DeviceBuffer, DeviceBuffer)}. */
    static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList()
                        .toString()
                        .replace('[', '(')
                        .replace(']', ')');
    }

    /** The same without an argument. */
    static String name(Method method, int argument) {
        return name(method) + " with null as argument " + (argument + 1);
    }

    RankGroups groups(Duration timeout) {
        return (mode, world, kind) -> WrappedRanks.open(
                LocalGroupOptions.ranks(world).timeout(timeout), timeout, (_, inner) -> (Communicator) wrapped(inner));
    }

    private Object wrapped(Object result) {
        if (result instanceof Optional<?> optional) {
            return optional.map(this::wrapped);
        }
        for (Class<?> type : INTERFACES) {
            if (type.isInstance(result)) {
                return wrapped(type, result);
            }
        }
        return result;
    }

    private <T> T wrapped(Class<T> type, Object inner) {
        return WrappedRanks.wrap(type, type.cast(inner), (method, arguments) -> recorded(inner, method, arguments));
    }

    private Object recorded(Object inner, Method method, Object[] arguments) throws Throwable {
        try {
            Object result = WrappedRanks.invoke(inner, method, arguments);
            return result == null ? null : wrapped(result);
        } catch (InvalidArgumentException e) {
            refused.add(name(method));
            throw e;
        } catch (NullPointerException e) {
            for (int i = 0; i < arguments.length; i++) {
                if (arguments[i] == null) {
                    refused.add(name(method, i));
                }
            }
            throw e;
        }
    }
}
