package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.posix.ForeignCalls;

/**
 * NCCL's premultiplied sums, which belong to a communicator. Both methods return the result code, and allocate nothing.
 */
public final class NcclReductions {
    private final MethodHandle create;
    private final MethodHandle destroy;

    NcclReductions(Binding binding) {
        create = binding.result(
                NcclFunction.RED_OP_CREATE_PRE_MUL_SUM, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
        destroy = binding.result(NcclFunction.RED_OP_DESTROY, JAVA_INT, JAVA_LONG);
    }

    /**
     * {@code ncclRedOpCreatePreMulSum}.
     *
     * @param op receives the operation, an int
     * @param factor the address of the factor, an element of the type
     * @param onHost whether the factor is in host memory and is read by this call; otherwise it is in memory of the
     *     device and is read when a collective runs
     */
    public int create(MemorySegment op, long factor, int type, boolean onHost, long communicator) {
        try {
            return (int) create.invokeExact(op, factor, type, onHost ? 1 : 0, communicator);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }

    /** {@code ncclRedOpDestroy}. Calls that were enqueued with the operation keep it. */
    public int destroy(int op, long communicator) {
        try {
            return (int) destroy.invokeExact(op, communicator);
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
