package org.mscclj.runtime.execution.environment;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.Capabilities;
import org.mscclj.spi.engine.SumForm;

/**
 * Common checks of the arguments of plan calls and of collective calls. One rank checks its own arguments, before the
 * call has any effect. The subject of a message is the plan or the collective that is called.
 *
 * @param rank this rank
 * @param size number of ranks
 * @param capabilities capabilities of the backend
 */
public record CallArguments(int rank, int size, Capabilities capabilities) {
    /** Requires a data type that the backend supports. */
    public void checkType(Object subject, DataType type) {
        if (!capabilities.dataTypes().contains(type)) {
            throw invalid(subject, "the data type", type, "those of the backend, " + capabilities.dataTypes());
        }
    }

    /**
     * Requires a reduce operation if the collective reduces. The backend must support the operation, and it must be
     * defined on the type.
     */
    public void checkOp(Object subject, Collective collective, ReduceOp op, DataType type) {
        boolean reduces = collective.reduces();
        if (reduces == (op.kind() == ReduceOp.Kind.NOP)) {
            throw invalid(
                    subject,
                    "the reduce operation",
                    op,
                    reduces ? "any but nop, since it reduces" : "nop, since it only moves data");
        }
        if (reduces && !capabilities.reduceOps().contains(op.kind())) {
            throw invalid(subject, "the reduce operation", op, "those of the backend, " + capabilities.reduceOps());
        }
        if (!op.kind().supports(type)) {
            throw invalid(subject, "the reduce operation", op, "one that is defined on " + type);
        }
        checkAddends(subject, op, type);
        if (!type.isFloat()
                && op.kind() == ReduceOp.Kind.PREMUL_SUM
                && (op.factor() != Math.rint(op.factor()) || Math.abs(op.factor()) >= 0x1p63)) {
            throw invalid(subject, "the factor", op.factor(), "whole numbers below 2^63 for " + type);
        }
        op.memory().ifPresent(factor -> {
            int bytes = type.byteSize();
            if (factor.byteSize() != bytes || factor.address() % bytes != 0) {
                throw invalid(
                        subject,
                        "the factor",
                        factor.byteSize() + " bytes at 0x" + Long.toHexString(factor.address()),
                        "one " + type + " element, aligned to " + bytes + " bytes");
            }
        });
    }

    private void checkAddends(Object subject, ReduceOp op, DataType type) {
        if (SumForm.isFor(op.kind(), size)) {
            DataType addends = SumForm.of(type, op.kind(), size).type();
            if (!capabilities.dataTypes().contains(addends)) {
                throw new UnsupportedException(
                        subject + ", rank " + rank + ": " + op.kind().label() + " of " + type
                                + " is the sum of " + addends + " addends, and the backend has the types "
                                + capabilities.dataTypes());
            }
        }
    }

    /**
     * Requires that a buffer begins at a multiple of the element size (SPEC 1.6): devices load and store whole elements
     * there. A buffer of 0 bytes may begin at any address.
     */
    public void checkAlignment(Object subject, String what, DeviceBuffer buffer, DataType type) {
        int width = type.byteSize();
        if (buffer.byteSize() > 0 && Long.remainderUnsigned(buffer.address(), width) != 0) {
            throw invalid(
                    subject,
                    what,
                    "at address 0x" + Long.toHexString(buffer.address()) + ", "
                            + Long.remainderUnsigned(buffer.address(), width) + " bytes after a multiple of " + width,
                    "multiples of " + width + ", the bytes of a " + type
                            + " element; begin the slice at such an offset, or copy the data to memory that does");
        }
    }

    /**
     * Returns the bytes of one slice of a buffer. Requires slices of whole elements that begin at multiples of the
     * element size.
     */
    public long slice(Object subject, String what, DeviceBuffer buffer, int slices, DataType type) {
        checkAlignment(subject, what, buffer, type);
        long unit = (long) slices * type.byteSize();
        if (buffer.byteSize() % unit != 0) {
            throw invalid(
                    subject,
                    what,
                    buffer.byteSize() + " bytes",
                    "a multiple of " + unit + ": " + (slices > 1 ? slices + " parts of whole " : "whole ") + type
                            + " elements");
        }
        return buffer.byteSize() / slices;
    }

    /** Returns whether the buffers share memory as the in-place form of the collective requires. */
    public boolean isInPlace(Collective collective, DeviceBuffer input, DeviceBuffer output, long slice) {
        return switch (collective) {
            case ALLGATHER, GATHER -> input.address() == output.address() + rank * slice;
            case REDUCESCATTER, SCATTER -> output.address() == input.address() + rank * slice;
            default -> input.address() == output.address();
        };
    }

    /** Describes how the buffers of the collective share memory in place. */
    public String inPlace(Collective collective) {
        return switch (collective) {
            case ALLGATHER, GATHER -> "the input as part " + rank + " of the output";
            case REDUCESCATTER, SCATTER -> "the output as part " + rank + " of the input";
            default -> "the same buffer";
        };
    }

    /** Returns whether two buffers share memory. Empty buffers never do, whatever their addresses. */
    public static boolean overlap(DeviceBuffer one, DeviceBuffer other) {
        return one.byteSize() > 0
                && other.byteSize() > 0
                && one.address() < other.address() + other.byteSize()
                && other.address() < one.address() + one.byteSize();
    }

    /** Creates an exception that names the argument, its value and the allowed values. */
    public InvalidArgumentException invalid(Object subject, String what, Object given, String allowed) {
        return new InvalidArgumentException(
                subject + ", rank " + rank + ": " + what + " is " + given + "; allowed: " + allowed);
    }
}
