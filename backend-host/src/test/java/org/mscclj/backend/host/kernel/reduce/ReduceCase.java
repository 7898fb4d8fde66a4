package org.mscclj.backend.host.kernel.reduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp.Kind;
import org.mscclj.backend.host.kernel.Reference;
import org.mscclj.backend.host.kernel.Twin;

/** An element type, an operation that it has, and an implementation. */
record ReduceCase(DataType type, Kind kind, Twin twin) {
    private static final Map<ReduceCase, ReduceKernel> KERNELS = new ConcurrentHashMap<>();

    ReduceKernel kernel() {
        return KERNELS.computeIfAbsent(
                this, _ -> twin == Twin.VECTOR ? VectorReductions.of(type, kind) : ScalarReductions.of(type, kind));
    }

    static List<ReduceCase> all() {
        List<ReduceCase> cases = new ArrayList<>();
        for (DataType type : DataType.values()) {
            for (Kind kind : Reference.KINDS) {
                for (Twin twin : Twin.values()) {
                    if (kind.supports(type)) {
                        cases.add(new ReduceCase(type, kind, twin));
                    }
                }
            }
        }
        return cases;
    }
}
