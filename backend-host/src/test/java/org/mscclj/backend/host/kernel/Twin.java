package org.mscclj.backend.host.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp.Kind;

/** Which of the two implementations is tested. */
enum Twin {
    SCALAR,
    VECTOR;

    /** The operations that have a kernel. */
    static final List<Kind> KINDS = List.of(Kind.SUM, Kind.PRODUCT, Kind.MIN, Kind.MAX, Kind.BAND, Kind.BOR, Kind.BXOR);

    /** An element type, an operation that it has, and an implementation. */
    record Case(DataType type, Kind kind, Twin twin) {
        ReduceKernel kernel() {
            return KERNELS.computeIfAbsent(
                    this,
                    absent -> twin == VECTOR ? VectorKernels.reduce(type, kind) : ScalarKernels.reduce(type, kind));
        }
    }

    private static final Map<Case, ReduceKernel> KERNELS = new ConcurrentHashMap<>();

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (DataType type : DataType.values()) {
            for (Kind kind : KINDS) {
                for (Twin twin : values()) {
                    if (kind.supports(type)) {
                        cases.add(new Case(type, kind, twin));
                    }
                }
            }
        }
        return cases;
    }

    ScaleKernel scale(DataType type) {
        return this == VECTOR && type.isFloat() ? VectorKernels.scale(type) : ScalarKernels.scale(type);
    }

    PacketKernel packets() {
        return this == VECTOR ? VectorPacketKernel.INSTANCE : ScalarPacketKernel.INSTANCE;
    }
}
