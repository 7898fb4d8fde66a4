package org.mscclj.backend.rocm.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.PacketType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.backend.rocm.RealHip;
import org.mscclj.backend.rocm.code.CodeObject;
import org.mscclj.device.kernels.plan.PlanCode;
import org.mscclj.device.kernels.plan.PlanKernel;
import org.mscclj.device.kernels.source.UserSource;
import org.mscclj.device.kernels.trace.ClockKernel;
import org.mscclj.device.kernels.transfer.TransferKernel;
import org.mscclj.gpu.driver.RuntimeCompiler;
import org.mscclj.language.program.ProgramSpec;
import org.mscclj.language.program.ShippedProgram;

/** Compiles kernels by the real hipRTC, which has headers of its own: CI compiles all kernels, by other compilers. */
@Tag("deep") // some seconds for each kernel
class DeviceKernelsTest {
    private static final int WORDS = 192;
    private static final int THREADS = 512;

    private static final String USER = """
            #include "mscclj/memorychannel.cuh"
            #include "mscclj/portchannel.cuh"
            extern "C" __global__ void mine(mscclj::MemoryChannel channel, float* out, float value) {
                out[threadIdx.x + blockIdx.x * blockDim.x] = value;
                __syncthreads();
            }
            """;

    @BeforeAll
    static void requireLibrary() {
        RealHip.require();
    }

    private static String general(ShippedProgram program, DataType type) {
        ProgramSpec spec = ProgramSpec.of(Collective.ALLREDUCE, 4);
        return PlanKernel.of(PlanCode.of(program.plan(spec)), type, ReduceOp.Kind.SUM, PacketType.LL16, WORDS, THREADS)
                .source();
    }

    private static String fused(PacketType packets) {
        PlanCode code = PlanCode.of(ShippedProgram.PACKETS.plan(ProgramSpec.of(Collective.ALLREDUCE, 4)));
        return PlanKernel.fused(
                        code,
                        code.fused().orElseThrow(),
                        DataType.FLOAT16,
                        ReduceOp.Kind.SUM,
                        Optional.of(packets),
                        WORDS,
                        THREADS)
                .source();
    }

    private static Map<String, String> sources() {
        return Map.of(
                "ring", general(ShippedProgram.RING, DataType.BFLOAT16),
                "eight bits", general(ShippedProgram.DIRECT, DataType.FLOAT8_E4M3),
                "packets", fused(PacketType.LL16),
                "transfers", TransferKernel.of(WORDS, true).source(),
                "clock", ClockKernel.create().source(),
                "user", UserSource.of("mine.cu", USER).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gfx90a", "gfx1030"})
    void hiprtcCompilesKernels(String target) {
        RuntimeCompiler compiler = HipRtcCompiler.INSTANCE;
        Map<String, Set<String>> kernels = new TreeMap<>();
        sources().forEach((name, source) -> {
            byte[] code = compiler.compile(name, source, compiler.options(target));
            kernels.put(name, CodeObject.parameters(code).keySet());
        });
        assertEquals(
                List.of(Set.of("mscclj_clock"), Set.of(PlanKernel.RUN), Set.of("mine")),
                List.of(kernels.get("clock"), kernels.get("ring"), kernels.get("user")));
    }
}
