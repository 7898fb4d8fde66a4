package org.mscclj.gpu.multicast;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.backend.cuda.CudaBackendProvider;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.device.kernels.plan.SwitchLines;
import org.mscclj.device.kernels.source.DeviceLibrary;
import org.mscclj.gpu.compile.KernelCompiler;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.module.KernelModule;
import org.mscclj.spi.device.Backend;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.BackendOptions;

/**
 * The main class of a VM that tries each multimem instruction: on units of a group's memory it loads, updates and
 * stores, and counts the units where a member has not what plain loads and the device library's arithmetic give.
 */
final class MultimemKernels {
    private static final int UNITS = 100;

    /** Bytes before the units in the memory of each member, which differ. */
    private static final long SHIFT = MulticastObject.GRANULARITY;

    private static final String CHECKS = """
            #include "mscclj/reduce.cuh"
            using namespace mscclj;

            template <class Unit>
            bool differ(Unit one, Unit other) {
                const uint8* a = (const uint8*)&one;
                const uint8* b = (const uint8*)&other;
                bool any = false;
                for (uint32 i = 0; i < sizeof(Unit); i++) {
                    any |= a[i] != b[i];
                }
                return any;
            }

            struct NoSwitchUpdate {
                static constexpr bool kExists = false;
            };

            template <class Element, class Operator, class Reduction, class Update>
            void check(uint64 group, const uint64* members, uint32 count, uint32 units, uint64* wrong) {
                using Unit = typename Reduction::Unit;
                for (uint32 u = 0; u < units; u++) {
                    const uint64 at = u * sizeof(Unit);
                    Unit before[64];
                    Accumulator<Element, Operator, Unit> sum;
                    for (uint32 m = 0; m < count; m++) {
                        before[m] = loadUnit<Unit>(members[m] + at);
                        m == 0 ? sum.start(before[m]) : sum.add(before[m]);
                    }
                    const Unit reduced = Reduction::loadIf(true, group + at);
                    wrong[0] += differ(reduced, sum.result());
                    wrong[0] += differ(Reduction::loadIf(false, group + at), Unit{});
                    if constexpr (Update::kExists) {
                        const Unit value = before[u % count];
                        Update::apply(group + at, value);
                        for (uint32 m = 0; m < count; m++) {
                            Accumulator<Element, Operator, Unit> updated;
                            updated.start(before[m]);
                            updated.add(value);
                            wrong[1] += differ(loadUnit<Unit>(members[m] + at), updated.result());
                        }
                    }
                    multicastStore(group + at, reduced);
                    for (uint32 m = 0; m < count; m++) {
                        wrong[2] += differ(loadUnit<Unit>(members[m] + at), reduced);
                    }
                }
            }
            """;

    private MultimemKernels() {}

    /** Arguments: number of members. */
    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[0]);
        List<AutoCloseable> opened = new ArrayList<>();
        Backend backend = new CudaBackendProvider().open(BackendOptions.threads());
        opened.add(backend::close);
        MulticastObject object = MulticastObject.create(count, 2 * SHIFT, false);
        opened.add(object);
        List<DeviceBuffer> memories = new ArrayList<>();
        for (int gpu = 0; gpu < count; gpu++) {
            BackendDevice device = backend.openDevice(gpu);
            opened.add(1, device);
            memories.add(device.allocate((gpu + 1) * SHIFT));
            opened.add(2, memories.get(gpu));
            object.add(gpu);
        }
        for (int gpu = 0; gpu < count; gpu++) {
            object.bind(gpu, SHIFT, memories.get(gpu).address() + gpu * SHIFT, SHIFT);
        }
        DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
        MulticastObject.enter(0);
        long group = object.map(0) + SHIFT;
        try (KernelModule module = KernelModule.load(
                        context,
                        new KernelCompiler(CudaDriver.INSTANCE).compile("multimem", source(), context.architecture()));
                Arena arena = Arena.ofConfined()) {
            MemorySegment members = arena.allocate(ValueLayout.JAVA_LONG, count);
            for (SwitchLines.Line line : SwitchLines.all()) {
                for (int gpu = 0; gpu < count; gpu++) {
                    byte[] content = new byte[16 * UNITS];
                    new Random(gpu + line.name().hashCode()).nextBytes(content);
                    for (int i = 0; i < content.length; i++) {
                        content[i] &= (byte) 0xBF; // no NaN in any type: which of several results is not said
                    }
                    memories.get(gpu)
                            .slice(gpu * SHIFT, content.length)
                            .copyFrom(arena.allocateFrom(ValueLayout.JAVA_BYTE, content));
                    members.setAtIndex(
                            ValueLayout.JAVA_LONG, gpu, memories.get(gpu).address() + gpu * SHIFT);
                }
                System.out.println(line.name() + " " + run(module, line.name(), group, members, count));
            }
        }
        context.close();
        System.out.println("end");
        System.exit(0);
    }

    private static String source() {
        StringBuilder source = new StringBuilder(CHECKS);
        for (SwitchLines.Line line : SwitchLines.all()) {
            source.append(line.reduction()).append("\n");
            source.append(line.update().orElse("using Update" + line.name() + " = NoSwitchUpdate;"))
                    .append("\n");
            source.append("extern \"C\" __global__ void " + line.name()
                    + "(uint64 group, const uint64* members, uint32 count, uint32 units, uint64* wrong) {\n"
                    + "    check<" + line.elementAndOperator() + ", Reduction" + line.name() + ", Update" + line.name()
                    + ">(group, members, count, units, wrong);\n}\n");
        }
        return DeviceLibrary.expand(source.toString());
    }

    /**
     * Returns how many units were wrong after loads, updates and stores; the host's memory is that of an emulated GPU.
     */
    private static List<Long> run(KernelModule module, String name, long group, MemorySegment members, int count) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wrong = arena.allocate(ValueLayout.JAVA_LONG, 3);
            MemorySegment parameters = arena.allocate(ValueLayout.ADDRESS, 5);
            List<MemorySegment> values = List.of(
                    arena.allocateFrom(ValueLayout.JAVA_LONG, group),
                    arena.allocateFrom(ValueLayout.JAVA_LONG, members.address()),
                    arena.allocateFrom(ValueLayout.JAVA_INT, count),
                    arena.allocateFrom(ValueLayout.JAVA_INT, UNITS),
                    arena.allocateFrom(ValueLayout.JAVA_LONG, wrong.address()));
            for (int i = 0; i < values.size(); i++) {
                parameters.setAtIndex(ValueLayout.ADDRESS, i, values.get(i));
            }
            module.kernel(name).launch(0, 1, 1, 0, parameters);
            int state = 600;
            while (state == 600) { // not ready
                Thread.onSpinWait();
                state = DriverCalls.result("cuStreamQuery", 0L);
            }
            if (state != 0) {
                throw new IllegalStateException("fault " + state);
            }
            return List.of(
                    wrong.getAtIndex(ValueLayout.JAVA_LONG, 0),
                    wrong.getAtIndex(ValueLayout.JAVA_LONG, 1),
                    wrong.getAtIndex(ValueLayout.JAVA_LONG, 2));
        }
    }
}
