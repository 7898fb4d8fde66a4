package org.mscclj.objects;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.BarrierCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.device.Device;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;

/** Objects arrive unchanged, and a fault on one rank fails the call on all ranks. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ObjectCollectivesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final ObjectCodec<String> STRINGS = ObjectCodec.strings();

    private static LocalGroup open(int ranks) {
        return LocalGroup.open(LocalGroupOptions.ranks(ranks).timeout(LIMIT));
    }

    private static <T> Supplier<T> notHere() {
        return () -> {
            throw new AssertionError("asked on a rank that is not the root");
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void everyOperationWithEveryRoot(int ranks) {
        try (LocalGroup group = open(ranks)) {
            group.run(communicator -> {
                ObjectCollectives objects = ObjectCollectives.over(communicator);
                int rank = communicator.rank();
                List<String> all = IntStream.range(0, ranks)
                        .mapToObj(each -> "rank " + each + "!".repeat(each * 200))
                        .toList();
                assertEquals(all, objects.allGather(all.get(rank), STRINGS));
                for (int root = 0; root < ranks; root++) {
                    boolean here = rank == root;
                    int from = root;
                    assertEquals(
                            "from " + root, objects.broadcast(root, STRINGS, here ? () -> "from " + from : notHere()));
                    assertEquals(here ? all : List.of(), objects.gather(root, all.get(rank), STRINGS));
                    assertEquals(all.get(rank), objects.scatter(root, STRINGS, here ? () -> all : notHere()));
                }
            });
        }
    }

    @Test
    void recordsOfAnySizeArrive() {
        long seed = 11;
        System.out.println("seed " + seed);
        ObjectCodec<ObjectCodecTest.Part> codec = ObjectCodec.records(ObjectCodecTest.Part.class);
        try (LocalGroup group = open(3)) {
            group.run(communicator -> {
                Random random = new Random(seed); // equal on all ranks
                ObjectCollectives objects = ObjectCollectives.over(communicator);
                for (int i = 0; i < 50; i++) {
                    int most = 1 << random.nextInt(16);
                    List<ObjectCodecTest.Part> parts = IntStream.range(0, 3)
                            .mapToObj(each ->
                                    new ObjectCodecTest.Part("x".repeat(random.nextInt(most)), random.nextDouble()))
                            .toList();
                    assertEquals(parts, objects.allGather(parts.get(communicator.rank()), codec));
                }
            });
        }
    }

    @Test
    void bytesOfNoAndOfGreatLengthArrive() {
        try (LocalGroup group = open(2)) {
            group.run(communicator -> {
                ObjectCollectives objects = ObjectCollectives.over(communicator);
                for (int length : new int[] {0, 251, 252, 253, 1 << 20}) {
                    byte[] bytes = new byte[length];
                    new Random(length).nextBytes(bytes);
                    assertArrayEquals(bytes, objects.broadcast(1, ObjectCodec.bytes(), () -> bytes));
                }
            });
        }
    }

    /** Requires that every rank fails with a message that contains this text, and can continue. */
    private static void refused(String why, BiFunction<ObjectCollectives, Integer, Object> call) {
        try (LocalGroup group = open(3)) {
            group.run(communicator -> {
                ObjectCollectives objects = ObjectCollectives.over(communicator);
                RuntimeException e =
                        assertThrows(RuntimeException.class, () -> call.apply(objects, communicator.rank()));
                assertTrue(String.valueOf(e.getMessage()).contains(why), e::toString);
                assertEquals("fine", objects.broadcast(0, STRINGS, () -> "fine"));
            });
        }
    }

    /** An error on one rank must not make others wait. */
    @Test
    void errorWhileEncodingFailsAllRanks() {
        refused("", (objects, rank) -> {
            ObjectCodec<String> codec = new ObjectCodec<>() {
                @Override
                public byte[] encode(String object) {
                    if (rank == 1) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    return STRINGS.encode(object);
                }

                @Override
                public String decode(byte[] bytes) {
                    return STRINGS.decode(bytes);
                }
            };
            if (rank == 1) {
                OutOfMemoryError error = assertThrows(OutOfMemoryError.class, () -> objects.allGather("x", codec));
                throw new IllegalStateException(error);
            }
            return objects.allGather("x", codec);
        });
    }

    /** The failure occurs after ranks have exchanged their sizes. */
    @Test
    void missingMemoryOnOneRankFailsAllRanks() {
        try (LocalGroup group = open(3)) {
            group.run(communicator -> {
                Communicator poor = communicator.rank() == 1 ? withLittleMemory(communicator) : communicator;
                ObjectCollectives objects = ObjectCollectives.over(poor);
                List<Executable> calls = List.of(
                        () -> objects.allGather("x".repeat(5000), STRINGS),
                        () -> objects.gather(0, "x".repeat(5000), STRINGS),
                        () -> objects.broadcast(2, STRINGS, () -> "x".repeat(5000)),
                        () -> objects.scatter(2, STRINGS, () -> List.of("a", "x".repeat(5000), "b")));
                for (Executable call : calls) {
                    BackendException e = assertThrows(BackendException.class, call);
                    assertTrue(String.valueOf(e.getMessage()).contains("no memory on purpose"), e::toString);
                    assertEquals(communicator.rank() != 1, e.getMessage().contains("rank 1 failed"), e::toString);
                    assertEquals("fine", objects.broadcast(0, STRINGS, () -> "fine"));
                }
            });
        }
    }

    /** The same communicator, on a device with no more than 4 KiB of memory. */
    private static Communicator withLittleMemory(Communicator communicator) {
        Device device = (Device) Proxy.newProxyInstance(
                Device.class.getClassLoader(), new Class<?>[] {Device.class}, (_, method, arguments) -> {
                    if (method.getName().equals("allocate") && (long) arguments[0] > 4096) {
                        throw new BackendException("no memory on purpose", 2, "OUT_OF_MEMORY");
                    }
                    return forward(communicator.device(), method, arguments);
                });
        return (Communicator) Proxy.newProxyInstance(
                Communicator.class.getClassLoader(),
                new Class<?>[] {Communicator.class},
                (_, method, arguments) ->
                        method.getName().equals("device") ? device : forward(communicator, method, arguments));
    }

    private static Object forward(Object to, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(to, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void tooLargeObjectIsNamed() {
        refused(
                "the object of rank 1 is 100 bytes; allowed: up to 99",
                (objects, rank) -> objects.limit(rank == 2 ? 99 : 1000).allGather("x".repeat(rank * 100), STRINGS));
        refused(
                "the object of rank 2 is 5 bytes; allowed: up to 4",
                (objects, rank) -> objects.limit(4).scatter(2, STRINGS, () -> List.of("a", "large", "b")));
        try (LocalGroup group = open(1)) {
            ObjectCollectives objects = ObjectCollectives.over(group.communicator(0));
            assertThrows(InvalidArgumentException.class, () -> objects.limit(0));
            assertThrows(InvalidArgumentException.class, () -> objects.limit((1L << 30) + 1));
        }
    }

    @Test
    void mismatchedCallsAreNamed() {
        refused(
                "calls",
                (objects, rank) ->
                        rank == 1 ? objects.allGather("a", STRINGS) : objects.broadcast(0, STRINGS, () -> "a"));
        refused("root", (objects, rank) -> objects.gather(rank == 1 ? 2 : 0, "a", STRINGS));
        refused("the root is 3; allowed: 0 to 2", (objects, rank) -> objects.gather(3, "a", STRINGS));
    }

    @Test
    void objectThatCannotBeEncodedFailsAllRanks() {
        try (LocalGroup group = open(3)) {
            group.run(communicator -> {
                ObjectCollectives objects = ObjectCollectives.over(communicator);
                RuntimeException e = assertThrows(
                        RuntimeException.class,
                        () -> objects.broadcast(1, STRINGS, () -> {
                            throw new IllegalStateException("no object today");
                        }));
                if (communicator.rank() == 1) {
                    assertEquals("no object today", e.getMessage());
                } else {
                    assertTrue(String.valueOf(e.getMessage()).contains("rank 1 has failed"), e::getMessage);
                }
                InvalidArgumentException few = assertThrows(
                        InvalidArgumentException.class, () -> objects.scatter(0, STRINGS, () -> List.of("a")));
                assertFalse(String.valueOf(few.getMessage()).isEmpty());
                assertEquals("fine", objects.broadcast(2, STRINGS, () -> "fine"));
            });
        }
    }

    @Test
    void objectThatCannotBeDecodedNamesItsSender() {
        try (LocalGroup group = open(2)) {
            group.run(communicator -> {
                ObjectCollectives objects = ObjectCollectives.over(communicator);
                if (communicator.rank() == 0) {
                    objects.broadcast(0, ObjectCodec.bytes(), () -> new byte[] {(byte) 0xff});
                } else {
                    InvalidArgumentException e =
                            assertThrows(InvalidArgumentException.class, () -> objects.broadcast(0, STRINGS, () -> ""));
                    assertTrue(
                            String.valueOf(e.getMessage()).contains("the object of rank 0 cannot be decoded"),
                            e::getMessage);
                }
            });
        }
    }

    /** Rank 1 passes null, which its exception names; the other ranks receive its failure. */
    private static void nullIsRefused(
            String name, Function<ObjectCollectives, Object> wrong, Function<ObjectCollectives, Object> right) {
        refused("", (objects, rank) -> {
            if (rank != 1) {
                return right.apply(objects);
            }
            NullPointerException e = assertThrows(NullPointerException.class, () -> wrong.apply(objects));
            assertEquals(name, e.getMessage());
            throw e;
        });
    }

    private static <T> T nothing() {
        return new AtomicReference<T>().get();
    }

    @Test
    void nullFailsAllRanks() {
        nullIsRefused("codec", o -> o.broadcast(0, nothing(), () -> "a"), o -> o.broadcast(0, STRINGS, () -> "a"));
        nullIsRefused("codec", o -> o.allGather("a", nothing()), o -> o.allGather("a", STRINGS));
        nullIsRefused("object", o -> o.allGather(nothing(), STRINGS), o -> o.allGather("a", STRINGS));
        nullIsRefused("object", o -> o.gather(0, nothing(), STRINGS), o -> o.gather(0, "a", STRINGS));
        nullIsRefused("onRoot", o -> o.scatter(1, STRINGS, nothing()), o -> o.scatter(1, STRINGS, notHere()));
        nullIsRefused("object", o -> o.broadcast(1, STRINGS, () -> nothing()), o -> o.broadcast(1, STRINGS, notHere()));
        assertThrows(NullPointerException.class, () -> ObjectCollectives.over(nothing()));
        try (LocalGroup group = open(1)) {
            ObjectCollectives objects = ObjectCollectives.over(group.communicator(0));
            assertThrows(NullPointerException.class, () -> objects.timeout(nothing()));
        }
    }

    @Test
    void timeoutAbortsTheCommunicator() {
        CyclicBarrier late = new CyclicBarrier(3);
        try (LocalGroup group = open(3)) {
            group.run(communicator -> {
                ObjectCollectives objects = ObjectCollectives.over(communicator);
                assertEquals(List.of("a", "a", "a"), objects.timeout(LIMIT).allGather("a", STRINGS));
                if (communicator.rank() == 1) {
                    late.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    AbortedException e = assertThrows(AbortedException.class, () -> objects.allGather("b", STRINGS));
                    assertTrue(String.valueOf(e.getMessage()).contains("allGather of objects: "), e::getMessage);
                    return;
                }
                MsccljException e = assertThrows(
                        MsccljException.class,
                        () -> objects.timeout(communicator.rank() == 0 ? SHORT : LIMIT)
                                .allGather("b", STRINGS));
                if (communicator.rank() == 0) {
                    assertEquals(List.of(1), ((OperationTimeoutException) e).missingRanks(), e::getMessage);
                }
                assertTrue(communicator.isAborted());
                late.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
            });
        }
    }

    @Test
    void timeoutAppliesToTheWholeOperation() {
        try (LocalGroup group = open(2)) {
            group.run(communicator -> {
                ObjectCollectives objects = ObjectCollectives.over(communicator);
                assertEquals("a", objects.broadcast(0, STRINGS, () -> "a"));
                MsccljException e = assertThrows(
                        MsccljException.class,
                        () -> objects.timeout(communicator.rank() == 1 ? SHORT : LIMIT)
                                .broadcast(1, STRINGS, () -> {
                                    LockSupport.parkNanos(SHORT.multipliedBy(2).toNanos());
                                    return "late";
                                }));
                assertTrue(
                        String.valueOf(e.getMessage())
                                .contains("broadcast of objects: its timeout of 100 ms expired before rank 1 sent"),
                        e::toString);
                assertEquals(communicator.rank() == 1, e instanceof OperationTimeoutException, e::toString);
                assertTrue(communicator.isAborted());
            });
        }
        try (LocalGroup group = open(1)) {
            ObjectCollectives objects = ObjectCollectives.over(group.communicator(0));
            assertThrows(InvalidArgumentException.class, () -> objects.timeout(Duration.ofNanos(-1)));
            assertEquals(
                    "b", objects.timeout(Duration.ofSeconds(Long.MAX_VALUE)).broadcast(0, STRINGS, () -> "b"));
            assertEquals("c", objects.timeout(Duration.ZERO).broadcast(0, STRINGS, () -> "c"));
        }
    }

    /** The documentation recommends this for callers that do not want to wait. */
    @Test
    void separateCommunicatorOverlapsOtherCalls() {
        try (LocalGroup group = open(3)) {
            group.run(communicator -> {
                List<Integer> all = List.of(0, 1, 2);
                try (Communicator own = communicator.split(all, "objects").orElseThrow()) {
                    CompletableFuture<List<String>> gathered = CompletableFuture.supplyAsync(
                            () -> ObjectCollectives.over(own).allGather("rank " + communicator.rank(), STRINGS),
                            task -> Thread.ofVirtual().start(task));
                    for (int i = 0; i < 20; i++) {
                        communicator.execute(BarrierCall.STREAMS).join();
                    }
                    assertEquals(
                            List.of("rank 0", "rank 1", "rank 2"), gathered.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
                }
            });
        }
    }
}
