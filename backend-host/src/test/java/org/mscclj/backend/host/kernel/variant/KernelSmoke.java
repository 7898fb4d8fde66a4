package org.mscclj.backend.host.kernel.variant;

import java.lang.foreign.Arena;
import org.mscclj.api.type.DataType;
import org.mscclj.backend.host.kernel.Reference;
import org.mscclj.backend.host.kernel.packet.PacketKernel;
import org.mscclj.backend.host.kernel.reduce.ReduceKernel;
import org.mscclj.backend.host.kernel.scale.ScaleKernel;

/** Uses a kernel of every kind once, and prints which implementation is in use. */
final class KernelSmoke {
    private KernelSmoke() {}

    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            long memory = arena.allocate(1024, 8).address();
            for (DataType type : DataType.values()) {
                Reference.KINDS.stream()
                        .filter(kind -> kind.supports(type))
                        .forEach(kind -> ReduceKernel.of(type, kind).reduce(memory, memory, memory, 512));
                ScaleKernel.of(type).scale(memory, 512, 2);
            }
            PacketKernel.preferred().pack(memory, memory + 512, 64, 1);
        }
        System.out.println(VectorSupport.description());
    }
}
