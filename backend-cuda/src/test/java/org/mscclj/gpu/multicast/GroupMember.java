package org.mscclj.gpu.multicast;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.backend.cuda.CudaBackendProvider;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.device.kernels.source.DeviceLibrary;
import org.mscclj.gpu.compile.KernelCompiler;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.module.KernelModule;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

/**
 * The main class of a process with one member of a multicast group. The member takes a step for each line of its input.
 * It answers each with {@code ok}, with what it has read, or with the error.
 */
final class GroupMember implements AutoCloseable {
    private static final long BYTES = 4 * MulticastObject.GRANULARITY;

    private static final String SOURCE = DeviceLibrary.expand("""
            #include "mscclj/reduce.cuh"
            using namespace mscclj;
            MSCCLJ_SWITCH_REDUCTION(Add, 900, uint32, "add.u32", Uint32Element, Sum)
            extern "C" __global__ void store(uint64 address, uint32 value) { multicastStore(address, value); }
            extern "C" __global__ void reduce(uint64 address, uint64 to) { *(uint32*)to = Add::loadIf(true, address); }
            """);

    private final int gpu;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final DeviceContext context;
    private final KernelModule module;
    private final DeviceBuffer memory;
    private final DeviceBuffer result;
    private @Nullable MulticastObject object;
    private long address;

    private GroupMember(int gpu) {
        this.gpu = gpu;
        Backend backend = new CudaBackendProvider().open(BackendOptions.separateProcesses());
        opened.add(backend::close);
        BackendDevice device = backend.openDevice(gpu);
        opened.add(device);
        context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, gpu));
        opened.add(context::close);
        module = KernelModule.load(
                context, new KernelCompiler(CudaDriver.INSTANCE).compile("multicast", SOURCE, context.architecture()));
        opened.add(module);
        memory = device.allocate(BYTES);
        opened.add(memory);
        result = device.allocate(Integer.BYTES);
        opened.add(result);
        MulticastObject.enter(gpu);
    }

    /** Arguments: the member's GPU. */
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (GroupMember member = new GroupMember(Integer.parseInt(arguments[0]))) {
            System.out.println("ready");
            for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
                System.out.println(member.answer(line.split(" ")));
            }
        }
        DriverCalls.call("cuCtxSetCurrent", 0L);
        System.out.println("left " + left());
        System.exit(0); // not waiting for threads of the backend
    }

    /** How much of virtual memory lives: handles, addresses, mappings and bindings. */
    private static long left() {
        return Stream.of(StandIn.Kind.HANDLES, StandIn.Kind.RANGES, StandIn.Kind.MAPPINGS, StandIn.Kind.BINDINGS)
                .mapToLong(kind -> DriverCalls.number(
                        "standin_live", List.of(StandIn.Kind.values()).indexOf(kind)))
                .sum();
    }

    private String answer(String... words) {
        try {
            return answerTo(
                    words[0],
                    Arrays.stream(words).skip(1).mapToLong(Long::parseLong).toArray());
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private MulticastObject object() {
        if (object == null) {
            throw new IllegalStateException("there is no object");
        }
        return object;
    }

    private String answerTo(String command, long... numbers) {
        switch (command) {
            case "create" -> {
                object = MulticastObject.create((int) numbers[0], BYTES, true);
                return ProcessHandle.current().pid() + " " + object.export();
            }
            case "import" -> {
                int descriptor = open("/proc/" + numbers[0] + "/fd/" + numbers[1]);
                object = MulticastObject.imported(descriptor, BYTES);
            }
            case "add" -> object().add(gpu);
            case "bind" -> object().bind(gpu, numbers[0], memory.address() + numbers[1], numbers[2]);
            case "map" -> address = object().map(gpu);
            case "store" -> launch("store", address + numbers[0], (int) numbers[1]);
            case "reduce" -> {
                launch("reduce", address + numbers[0], result.address());
                return Integer.toString(read(result, 0));
            }
            case "load" -> {
                return Integer.toString(read(memory, numbers[0]));
            }
            case "close" -> object().close();
            case "leave" -> object().leave();
            default -> throw new IllegalStateException("unknown: " + command);
        }
        return "ok";
    }

    @SuppressWarnings("restricted") // a descriptor, which Java has none of
    private static int open(String path) {
        Linker linker = Linker.nativeLinker();
        MethodHandle open = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("open"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            return (int) open.invokeExact(arena.allocateFrom(path), 2);
        } catch (Throwable e) {
            throw new IllegalStateException(path, e);
        }
    }

    private void launch(String kernel, long first, Object second) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment parameters = arena.allocate(ValueLayout.ADDRESS, 2);
            parameters.setAtIndex(ValueLayout.ADDRESS, 0, arena.allocateFrom(ValueLayout.JAVA_LONG, first));
            parameters.setAtIndex(
                    ValueLayout.ADDRESS,
                    1,
                    second instanceof Integer value
                            ? arena.allocateFrom(ValueLayout.JAVA_INT, value)
                            : arena.allocateFrom(ValueLayout.JAVA_LONG, (Long) second));
            module.kernel(kernel).launch(0, 1, 1, 0, parameters);
            int state = 600;
            while (state == 600) { // not ready
                Thread.onSpinWait();
                state = DriverCalls.result("cuStreamQuery", 0L);
            }
            if (state != 0) {
                throw new IllegalStateException("fault " + state);
            }
        }
    }

    private static int read(DeviceBuffer buffer, long offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment word = arena.allocate(ValueLayout.JAVA_INT);
            buffer.slice(offset, Integer.BYTES).copyTo(word);
            return word.get(ValueLayout.JAVA_INT, 0);
        }
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable one : opened.reversed()) {
            one.close();
        }
    }
}
