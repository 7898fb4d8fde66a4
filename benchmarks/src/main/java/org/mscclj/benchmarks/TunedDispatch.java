package org.mscclj.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.LocalGroupOptions;
import org.mscclj.api.element.TypedBuffer;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures nanoseconds from a call to the operation that serves it, on one of two ranks, where the call was made
 * before: with a tuning file that has a choice for each size, and without one. Nothing is launched. {@code -prof gc}
 * shows what is allocated.
 *
 * <p>The look-up is not public. The benchmark takes it out of the communicator, which works on the class path.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgs = {"--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
public class TunedDispatch {
    private static final int SIZES = 16;
    private static final int LEAST = 64;
    private static final MethodHandle FIND = find();

    /** Whether the communicator follows a file. */
    @Param({"false", "true"})
    public boolean tuned;

    private final List<TypedBuffer> buffers = new ArrayList<>();
    private final CollectiveCall[] calls = new CollectiveCall[SIZES];
    private LocalGroup group = LocalGroup.open(options());
    private Object known = "";

    /** Creates the benchmark; called by JMH. */
    public TunedDispatch() {}

    private static LocalGroupOptions options() {
        return LocalGroupOptions.ranks(2).backend("host");
    }

    private static MethodHandle find() {
        try {
            return method(
                            Class.forName("org.mscclj.runtime.collective.KnownCalls"),
                            "find",
                            CollectiveCall.class,
                            boolean.class)
                    .asType(MethodType.methodType(Object.class, Object.class, CollectiveCall.class, boolean.class));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the look-up is elsewhere now", e);
        }
    }

    private static Object field(Object of, String name) {
        try {
            return MethodHandles.privateLookupIn(of.getClass(), MethodHandles.lookup())
                    .unreflectGetter(of.getClass().getDeclaredField(name))
                    .invoke(of);
        } catch (Throwable e) {
            throw new IllegalStateException("there is no field " + name, e);
        }
    }

    /**
     * Makes each call, so that it is known. Of sixteen calls at random addresses, three may share a pair of slots among
     * the recent calls, which is not what is measured: then other memory is tried.
     */
    @Setup
    public void open() throws Throwable {
        LocalGroupOptions options = tuned ? options().tuning(save(group)) : options();
        do {
            close();
            buffers.clear();
            group = LocalGroup.open(options);
            make();
        } while (!allStay());
    }

    /** Whether all calls are among the recent ones after each of them was found. */
    private boolean allStay() throws Throwable {
        for (CollectiveCall call : calls) {
            Object _ = (Object) FIND.invokeExact(known, call, false);
        }
        Object version = method(known.getClass(), "version").invoke(known);
        Object recent = field(known, "recent");
        for (CollectiveCall call : calls) {
            if (method(recent.getClass(), "find", CollectiveCall.class, long.class)
                            .invoke(recent, call, version)
                    == null) {
                return false;
            }
        }
        return true;
    }

    private static MethodHandle method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .unreflect(type.getDeclaredMethod(name, parameters));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("there is no method " + name, e);
        }
    }

    private void make() {
        group.run(this::makeAll);
        Communicator first = group.communicator(0);
        String reason = first.explain(calls[0]).chosen().orElseThrow().reason();
        if (tuned != reason.startsWith("the fastest one for this size by measurement")) {
            throw new IllegalStateException(reason);
        }
        known = field(field(first, "collectives"), "known");
    }

    /** Saves a file with other blocks for each size. */
    private static Path save(LocalGroup group) {
        TuningKey[] key = new TuningKey[1];
        group.run(communicator -> {
            TuningKey own = communicator.tuningKey();
            if (communicator.rank() == 0) {
                key[0] = own;
            }
        });
        List<TuningChoice> choices = new ArrayList<>();
        for (int i = 0; i < SIZES; i++) {
            choices.add(new TuningChoice(
                    Collective.ALLREDUCE, true, i == 0 ? 0 : (long) LEAST << i, "direct@" + (1 + i % 4)));
        }
        try {
            Path folder = Files.createTempDirectory("tuned");
            Path file = folder.resolve("tuned.json");
            new TuningEntry(key[0], "", choices).save(file);
            file.toFile().deleteOnExit();
            folder.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void makeAll(Communicator communicator) {
        for (int i = 0; i < SIZES; i++) {
            long count = ((long) LEAST << i) / DataType.FLOAT32.byteSize();
            TypedBuffer buffer = communicator.allocate(DataType.FLOAT32, count);
            CollectiveCall call = CollectiveCall.allReduce(buffer, buffer);
            communicator.execute(call).join();
            communicator.execute(call).join();
            synchronized (buffers) {
                buffers.add(buffer);
            }
            if (communicator.rank() == 0) {
                calls[i] = call;
            }
        }
    }

    /** Frees everything. */
    @TearDown
    public void close() {
        buffers.forEach(TypedBuffer::close);
        group.close();
    }

    /** Finds what serves the same call again and again. */
    @Benchmark
    public Object sameCall() throws Throwable {
        return (Object) FIND.invokeExact(known, calls[0], false);
    }

    /** Finds what serves calls of all sizes in turn. */
    @Benchmark
    @OperationsPerInvocation(SIZES)
    public void allSizes(Blackhole found) throws Throwable {
        for (CollectiveCall call : calls) {
            found.consume((Object) FIND.invokeExact(known, call, false));
        }
    }
}
