package org.mscclj.runtime.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.AlgorithmRegistry;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Quorum;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.Stores;
import org.mscclj.api.TransferCall;
import org.mscclj.api.Window;
import org.mscclj.api.WindowCall;
import org.mscclj.api.Work;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.channel.ChannelSetup;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Event;
import org.mscclj.api.device.Graph;
import org.mscclj.api.device.Stream;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.plan.PlanRegistry;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;

/**
 * What every argument of every method refuses: null, by name; and every method of a communicator, once that is closed.
 * The methods are found, so none is forgotten.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NullAndClosedTest {
    /** These only say what a communicator is, or end it. */
    private static final Set<String> ALLOWED_WHEN_CLOSED = Set.of(
            "rank",
            "size",
            "name",
            "ranksPerNode",
            "capabilities",
            "isNvlsSupported",
            "worldRanks",
            "timeout",
            "device",
            "stream",
            "plans",
            "algorithms",
            "variable",
            "failure",
            "isAborted",
            "abort",
            "close",
            "open");

    private static LocalGroup group() {
        return LocalGroup.open(LocalGroupOptions.ranks(1).backend("host").timeout(Duration.ofSeconds(20)));
    }

    private static Object sample(Class<?> type, DeviceBuffer buffer) {
        Map<Class<?>, Object> samples = Map.ofEntries(
                Map.entry(int.class, 0),
                Map.entry(long.class, 8L),
                Map.entry(String.class, "words"),
                Map.entry(Duration.class, Duration.ofSeconds(1)),
                Map.entry(Optional.class, Optional.empty()),
                Map.entry(List.class, List.of()),
                Map.entry(Map.class, Map.of()),
                Map.entry(Supplier.class, (Supplier<String>) () -> "words"),
                Map.entry(byte[].class, new byte[1]),
                Map.entry(MemorySegment.class, MemorySegment.ofArray(new byte[8])),
                Map.entry(DeviceBuffer.class, buffer),
                Map.entry(ReduceOp.class, ReduceOp.SUM),
                Map.entry(
                        CallShape.class,
                        new CallShape(Collective.ALLREDUCE, DataType.INT8, ReduceOp.SUM, 0, true, false, 1, 1, 8)),
                Map.entry(Quorum.class, Quorum.of("id", List.of(0))),
                Map.entry(CollectiveCall.class, CollectiveCall.allReduce(buffer, DataType.INT8)),
                Map.entry(BarrierCall.class, BarrierCall.STREAMS),
                Map.entry(TransferCall.class, TransferCall.batch()),
                Map.entry(WindowCall.class, WindowCall.put(buffer, 0, 0)),
                Map.entry(
                        ReduceScatterCall.class,
                        new ReduceScatterCall(List.of(buffer), buffer, DataType.INT8, ReduceOp.SUM)));
        Object known = samples.get(type);
        if (known != null) {
            return known;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type == TypedBuffer.class) {
            return TypedBuffer.of(buffer, DataType.INT8);
        }
        if (type.getSimpleName().equals("PlanCall")) {
            return new PlanCall(
                    (ExecutionPlan) proxy(ExecutionPlan.class),
                    buffer,
                    buffer,
                    DataType.INT8,
                    ReduceOp.SUM,
                    PacketType.LL16);
        }
        if (type.isInterface()) {
            return proxy(type);
        }
        throw new IllegalArgumentException("no sample of " + type + "; add one");
    }

    private static Object proxy(Class<?> type) {
        return Proxy.newProxyInstance(
                NullAndClosedTest.class.getClassLoader(),
                new Class<?>[] {type},
                (_, method, _) -> switch (method.getName()) {
                    case "toString", "name" -> type.getSimpleName();
                    case "hashCode" -> 0;
                    default -> null;
                });
    }

    private static List<Method> methods(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !method.getDeclaringClass().equals(Object.class))
                .toList();
    }

    private static String words(Class<?> type, Method method) {
        return type.getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList();
    }

    /** What a call throws; empty if it returns. */
    private static Optional<Throwable> thrown(Object on, Method method, @Nullable Object[] arguments)
            throws IllegalAccessException {
        try {
            method.invoke(on, arguments);
            return Optional.empty();
        } catch (InvocationTargetException e) {
            return Optional.of(e.getCause());
        }
    }

    private static boolean namesAnArgument(Throwable e) {
        return e instanceof NullPointerException
                && String.valueOf(e.getMessage()).matches("(?!null)[a-zA-Z]+( [a-z]+)*");
    }

    @Test
    void nullIsRefusedByName(@TempDir Path folder) throws Exception {
        try (LocalGroup group = group()) {
            Communicator communicator = group.communicator(0);
            DeviceBuffer buffer = communicator.allocate(8);
            Stream stream = communicator.device().createStream();
            Store memory = Stores.inProcess();
            Store file = Stores.file(folder.resolve("store"));
            Map<Object, Class<?>> all = new LinkedHashMap<>();
            all.put(group, LocalGroup.class);
            all.put(communicator, Communicator.class);
            all.put(buffer, DeviceBuffer.class);
            all.put(communicator.device(), Device.class);
            all.put(stream, Stream.class);
            all.put(communicator.device().createEvent(), Event.class);
            all.put(stream.capture(() -> stream.copy(buffer.slice(0, 4), buffer.slice(4, 4))), Graph.class);
            all.put(communicator.channels(), ChannelSetup.class);
            all.put(communicator.plans(), PlanRegistry.class);
            all.put(communicator.algorithms(), AlgorithmRegistry.class);
            all.put(communicator.prepare(CollectiveCall.allReduce(buffer, DataType.INT8)), PreparedOperation.class);
            ReduceScatterCall parts =
                    new ReduceScatterCall(List.of(buffer.slice(0, 4)), buffer.slice(4, 4), DataType.INT8, ReduceOp.SUM);
            all.put(communicator.prepare(parts), PreparedOperation.class);
            all.put(communicator.execute(CollectiveCall.allReduce(buffer, DataType.INT8)), Work.class);
            all.put(communicator.execute(parts), Work.class);
            all.put(communicator.openWindow(buffer), Window.class);
            all.put(memory, Store.class);
            all.put(file, Store.class);
            List<String> complaints = new ArrayList<>();
            int asked = 0;
            for (Map.Entry<Object, Class<?>> entry : all.entrySet()) {
                for (Method method : methods(entry.getValue())) {
                    for (int argument = 0; argument < method.getParameterCount(); argument++) {
                        if (!method.getParameterTypes()[argument].isPrimitive()) {
                            asked++;
                            @Nullable
                            Object[] arguments = Arrays.stream(method.getParameterTypes())
                                    .map(type -> sample(type, buffer))
                                    .toArray();
                            arguments[argument] = null;
                            Optional<Throwable> e = thrown(entry.getKey(), method, arguments);
                            if (e.filter(NullAndClosedTest::namesAnArgument).isEmpty()) {
                                complaints.add(entry.getKey().getClass().getSimpleName() + ", "
                                        + words(entry.getValue(), method) + ", argument " + argument + ": " + e);
                            }
                        }
                    }
                }
            }
            Collections.sort(complaints);
            assertEquals("", String.join("\n", complaints));
            assertTrue(asked > 90, "few arguments: are the interfaces still these?");
            memory.close();
            file.close();
        }
    }

    @Test
    void closedCommunicatorsRefuse() throws Exception {
        List<String> complaints = new ArrayList<>();
        int asked = 0;
        try (LocalGroup group = group()) {
            Communicator communicator = group.communicator(0);
            try (DeviceBuffer buffer = communicator.device().allocate(8)) {
                communicator.close();
                for (Method method : methods(Communicator.class)) {
                    if (!ALLOWED_WHEN_CLOSED.contains(method.getName())) {
                        asked++;
                        Optional<Throwable> e = thrown(
                                communicator,
                                method,
                                Arrays.stream(method.getParameterTypes())
                                        .map(type -> sample(type, buffer))
                                        .toArray());
                        if (e.filter(refusal -> refusal instanceof InvalidArgumentException
                                        && String.valueOf(refusal.getMessage())
                                                .contains("communicator local is closed"))
                                .isEmpty()) {
                            complaints.add(words(Communicator.class, method) + ": " + e);
                        }
                    }
                }
            }
        }
        Collections.sort(complaints);
        assertEquals("", String.join("\n", complaints));
        assertTrue(asked > 25, "few methods: is the interface still this?");
    }
}
