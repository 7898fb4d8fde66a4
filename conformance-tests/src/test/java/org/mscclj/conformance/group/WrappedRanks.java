package org.mscclj.conformance.group;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BiFunction;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;

/** Groups whose communicators, and what these give away, are wrapped by proxies that see each call. */
public final class WrappedRanks {
    private WrappedRanks() {}

    /** What a wrapped object does with a call. */
    @FunctionalInterface
    public interface Calls {
        /**
         * Answers a call.
         *
         * @param arguments those of the call, wrapped ones as they are; empty without any
         */
        Object call(Method method, Object[] arguments) throws Throwable;
    }

    /** What wraps another object, and gives it away. */
    private interface Wrapper {
        Object inner();
    }

    /**
     * A group of which each communicator is wrapped.
     *
     * @param wrap gives what stands for the communicator of a rank
     */
    public static LocalRankGroup open(
            LocalGroupOptions options, Duration timeout, BiFunction<Integer, Communicator, Communicator> wrap) {
        LocalGroup group = LocalGroup.open(options);
        Communicator[] ranks = new Communicator[options.ranks()];
        Arrays.setAll(ranks, rank -> wrap.apply(rank, group.communicator(rank)));
        return new LocalRankGroup(
                wrap(
                        LocalGroup.class,
                        group,
                        (method, arguments) -> method.getName().equals("communicator")
                                ? ranks[(int) arguments[0]]
                                : invoke(group, method, arguments)),
                timeout);
    }

    /** An object of the interface whose calls are answered so; {@link #invoke} finds what it wraps. */
    public static <T> T wrap(Class<T> type, T inner, Calls calls) {
        return type.cast(Proxy.newProxyInstance(
                WrappedRanks.class.getClassLoader(),
                new Class<?>[] {type, Wrapper.class},
                (_, method, arguments) -> method.getDeclaringClass() == Wrapper.class
                        ? inner
                        : calls.call(method, arguments == null ? new Object[0] : arguments)));
    }

    /** What a wrapper wraps; any other object itself. */
    public static Object unwrapped(Object argument) {
        return argument instanceof Wrapper wrapper ? wrapper.inner() : argument;
    }

    /** Makes the call, and throws what it throws. */
    public static Object invoke(Object inner, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(
                    inner,
                    Arrays.stream(arguments)
                            .map(argument -> argument instanceof Wrapper wrapper ? wrapper.inner() : argument)
                            .toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
