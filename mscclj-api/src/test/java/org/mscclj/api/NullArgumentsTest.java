package org.mscclj.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mscclj.api.algorithm.AllowedArguments;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.algorithm.NativeArguments;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RankPosition;
import org.mscclj.api.bootstrap.Rendezvous;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.bootstrap.TlsOptions;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.api.mesh.Dimension;
import org.mscclj.api.option.CallOptions;
import org.mscclj.api.option.Hints;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.plan.ExecutionPlan;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * {@code null} is refused where it is passed, by an exception that names the argument: everywhere in the classes that
 * applications make and refine.
 */
class NullArgumentsTest {
    private static final List<Class<?>> CLASSES = List.of(
            CommunicatorOptions.class,
            LocalGroupOptions.class,
            Quorum.class,
            UniqueId.class,
            Stores.class,
            Communicator.class,
            LocalGroup.class,
            CollectiveCall.class,
            TypedBuffer.class,
            TransferCall.class,
            TransferCall.Message.class,
            ReduceScatterCall.class,
            VariableCalls.class,
            WindowCall.class,
            PlanCall.class,
            CallShape.class,
            CallOptions.class,
            LaunchSize.class,
            NativeArguments.class,
            AllowedArguments.class,
            Hints.class,
            KnownHint.class,
            ReduceOp.class,
            Dimension.class,
            OperationDescription.class,
            PortRange.class,
            RankPosition.class,
            Rendezvous.class,
            RendezvousAddress.class,
            StoreAddress.class,
            TlsOptions.class);

    /** Of what these say of an object, null is nothing that it equals. */
    private static final Set<String> NOT_ASKED = Set.of("equals", "valueOf");

    private static final CommunicatorOptions OPTIONS = CommunicatorOptions.rank(0, 1);

    private static Object sample(Class<?> type) {
        Map<Class<?>, Object> samples = Map.ofEntries(
                Map.entry(int.class, 0),
                Map.entry(long.class, 0L),
                Map.entry(double.class, 1.0),
                Map.entry(boolean.class, true),
                Map.entry(String.class, "host:1"),
                Map.entry(Duration.class, Duration.ofSeconds(1)),
                Map.entry(Path.class, Path.of("nowhere")),
                Map.entry(Optional.class, Optional.empty()),
                Map.entry(List.class, List.of()),
                Map.entry(Map.class, Map.of()),
                Map.entry(CommunicatorOptions.class, OPTIONS),
                Map.entry(LocalGroupOptions.class, LocalGroupOptions.ranks(1)),
                Map.entry(Quorum.class, Quorum.of("id", List.of(0, Quorum.NEWCOMER))),
                Map.entry(UniqueId.class, UniqueId.create(RendezvousAddress.parse("host:1"))),
                Map.entry(TransferCall.class, TransferCall.batch()),
                Map.entry(VariableCalls.class, new VariableCalls(0, 0)),
                Map.entry(TransferCall.PartOf.class, new TransferCall.PartOf("alltoall", -1)),
                Map.entry(CallOptions.class, CallOptions.NONE),
                Map.entry(Hints.class, Hints.NONE),
                Map.entry(Set.class, Set.of()),
                Map.entry(LaunchSize.class, LaunchSize.CHOSEN),
                Map.entry(AllowedArguments.class, AllowedArguments.NONE),
                Map.entry(NativeArguments.class, NativeArguments.NONE),
                Map.entry(ReduceOp.class, ReduceOp.SUM),
                Map.entry(Dimension.class, new Dimension("data", 1)),
                Map.entry(PortRange.class, PortRange.ANY),
                Map.entry(RankPosition.class, RankPosition.of(0, 1)),
                Map.entry(Rendezvous.class, Rendezvous.UNKNOWN),
                Map.entry(RendezvousAddress.class, RendezvousAddress.parse("host:1")),
                Map.entry(StoreAddress.class, StoreAddress.of("host:1", "0123456789abcdef")),
                Map.entry(TlsOptions.class, new TlsOptions(Path.of("keys"), Path.of("trust"), "password")));
        Object known = samples.get(type);
        if (known != null) {
            return known;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            return Array.newInstance(type.componentType(), 0);
        }
        return type.isInterface() ? proxy(type) : made(type);
    }

    /** Answers what calls ask of buffers and plans. */
    private static Object proxy(Class<?> type) {
        return Proxy.newProxyInstance(
                NullArgumentsTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, _) -> switch (method.getName()) {
                    case "collective" -> Collective.ALLREDUCE;
                    case "toString" -> type.getSimpleName();
                    case "hashCode" -> 0;
                    case "equals" -> false;
                    default -> method.getReturnType() == long.class ? 0L : self;
                });
    }

    private static Object made(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "CollectiveCall" -> CollectiveCall.allReduce(buffer(), DataType.INT8);
            case "ReduceScatterCall" -> new ReduceScatterCall(List.of(), buffer(), DataType.INT8, ReduceOp.SUM);
            case "WindowCall" -> WindowCall.put(buffer(), 0, 0);
            case "PlanCall" -> PlanCall.of(plan(), buffer(), buffer(), DataType.INT8);
            case "CallShape" ->
                new CallShape(Collective.ALLREDUCE, DataType.INT8, ReduceOp.SUM, 0, true, false, 1, 1, 0);
            case "Buffer" -> ByteBuffer.allocate(0);
            case "TypedBuffer" -> TypedBuffer.of(buffer(), DataType.INT8);
            case "Message" -> new TransferCall.Message(true, buffer(), 0);
            case "OperationDescription" -> new OperationDescription("sum", "", "", -1, 0, false, "", "ring");
            default -> throw new IllegalArgumentException("no sample of " + type + "; add one");
        };
    }

    private static DeviceBuffer buffer() {
        return (DeviceBuffer) proxy(DeviceBuffer.class);
    }

    private static ExecutionPlan plan() {
        return (ExecutionPlan) proxy(ExecutionPlan.class);
    }

    private static List<Executable> callable(Class<?> type) {
        List<Executable> all = new ArrayList<>(Arrays.asList(type.getConstructors()));
        Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> !type.isInterface() || Modifier.isStatic(method.getModifiers()))
                .filter(method -> !NOT_ASKED.contains(method.getName()) && !method.isSynthetic())
                .forEach(all::add);
        return all;
    }

    /** What is wrong with how null is refused; empty for nothing. */
    private static Optional<String> complaint(Class<?> type, Executable called, int argument) throws Exception {
        @Nullable
        Object[] arguments = Arrays.stream(called.getParameterTypes())
                .map(NullArgumentsTest::sample)
                .toArray();
        arguments[argument] = null;
        String what = type.getSimpleName() + "." + called.getName()
                + Arrays.stream(called.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList() + ", argument " + argument;
        try {
            switch (called) {
                case Constructor<?> constructor -> constructor.newInstance(arguments);
                case Method method ->
                    method.invoke(Modifier.isStatic(method.getModifiers()) ? null : sample(type), arguments);
            }
            return Optional.of(what + ": accepted");
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getCause();
            String words = String.valueOf(thrown.getMessage());
            return thrown instanceof NullPointerException
                            && words.matches("[a-zA-Z]+( [a-z]+)*")
                            && !words.equals("null")
                    ? Optional.empty()
                    : Optional.of(what + ": " + thrown);
        }
    }

    @Test
    void nullIsRefusedByName() throws Exception {
        List<String> complaints = new ArrayList<>();
        int asked = 0;
        for (Class<?> type : CLASSES) {
            for (Executable called : callable(type)) {
                for (int argument = 0; argument < called.getParameterCount(); argument++) {
                    if (!called.getParameterTypes()[argument].isPrimitive()) {
                        asked++;
                        complaint(type, called, argument).ifPresent(complaints::add);
                    }
                }
            }
        }
        Collections.sort(complaints);
        assertEquals("", String.join("\n", complaints));
        assertTrue(asked > 100, () -> "few arguments: are the classes still these?");
    }
}
