package org.mscclj.language.pass;

import java.util.List;
import java.util.Optional;
import org.mscclj.plan.BlockShare;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChunkRef;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Operation;

/** Operations for tests. */
final class Operations {
    private Operations() {}

    /** A copy of one chunk of the input into the output. */
    static Operation.Data copy(int index) {
        return local(
                DataKind.COPY,
                new ChunkRef.Local(BufferType.OUTPUT, index, 1),
                new ChunkRef.Local(BufferType.INPUT, index, 1));
    }

    /** An operation on local chunks. */
    static Operation.Data local(DataKind kind, ChunkRef destination, ChunkRef... sources) {
        return new Operation.Data(
                kind,
                Optional.empty(),
                List.of(),
                List.of(sources),
                List.of(destination),
                BlockShare.WHOLE,
                Optional.empty());
    }
}
