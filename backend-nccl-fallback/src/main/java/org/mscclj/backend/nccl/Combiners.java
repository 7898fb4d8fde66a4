package org.mscclj.backend.nccl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** The reductions of a communicator's calls, one at a time. NCCL creates premultiplied sums, which a call frees. */
final class Combiners {
    private static final System.Logger LOGGER = System.getLogger(Combiners.class.getName());

    private final NcclHandle handle;
    private final MemorySegment factor = Arena.ofAuto().allocate(JAVA_LONG);
    private final MemorySegment created = Arena.ofAuto().allocate(JAVA_INT);

    Combiners(NcclHandle handle) {
        this.handle = handle;
    }

    /**
     * Returns the {@code ncclRedOp_t} of an operation. {@link #end} frees it.
     *
     * @param ranks the number of ranks of the communicator
     */
    int begin(DataType type, ReduceOp op, int ranks) {
        if (op.kind() != ReduceOp.Kind.PREMUL_SUM) {
            // NCCL scales for an average, and scales no floats of 8 bits where there is one rank. Nothing is to scale.
            return ElementTypes.code(ranks == 1 && op.kind() == ReduceOp.Kind.AVG ? ReduceOp.SUM : op);
        }
        Optional<DeviceBuffer> memory = op.memory();
        long place;
        if (memory.isPresent()) {
            place = memory.get().address();
        } else {
            factor.set(JAVA_LONG, 0, type.encode(op.factor())); // the first bytes are the element
            place = factor.address();
        }
        handle.check(
                "ncclRedOpCreatePreMulSum",
                handle.nccl()
                        .reductions()
                        .create(created, place, ElementTypes.code(type), memory.isEmpty(), handle.address()));
        return created.get(JAVA_INT, 0);
    }

    /** Frees what {@link #begin} has returned. Does not throw: the call that used it is enqueued. */
    void end(int code, ReduceOp op) {
        if (op.kind() == ReduceOp.Kind.PREMUL_SUM) {
            try {
                handle.check("ncclRedOpDestroy", destroy(code));
            } catch (MsccljException e) {
                LOGGER.log(Level.WARNING, "a premultiplied sum of NCCL is left; its call is enqueued", e);
            }
        }
    }

    /** Frees what {@link #begin} has returned, after the failure of the call that used it. */
    void abandon(int code, ReduceOp op) {
        if (op.kind() == ReduceOp.Kind.PREMUL_SUM && handle.isOpen()) {
            destroy(code); // the caller gets the first failure
        }
    }

    private int destroy(int code) {
        return handle.nccl().reductions().destroy(code, handle.address());
    }
}
