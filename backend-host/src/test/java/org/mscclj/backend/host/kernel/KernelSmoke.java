package org.mscclj.backend.host.kernel;

import java.lang.foreign.Arena;
import org.mscclj.api.type.DataType;

/** Uses a kernel of every kind once, and prints which implementation is in use. */
final class KernelSmoke {
    private KernelSmoke() {}

    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined()) {
            long memory = arena.allocate(1024, 8).address();
            for (DataType type : DataType.values()) {
                Twin.KINDS.stream()
                        .filter(kind -> kind.supports(type))
                        .forEach(kind -> ReduceKernel.of(type, kind).reduce(memory, memory, memory, 512));
                ScaleKernel.of(type).scale(memory, 512, 2);
            }
            PacketKernel.preferred().pack(memory, memory + 512, 64, 1);
        }
        System.out.println(VectorSupport.description());
    }
}
