package org.mscclj.runtime.collective;

import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.spi.Capabilities;

/** Checks what one rank can check of a call, before anything happens. */
final class CallRules {
    private final int rank;
    private final int size;
    private final Capabilities capabilities;

    CallRules(int rank, int size, Capabilities capabilities) {
        this.rank = rank;
        this.size = size;
        this.capabilities = capabilities;
    }

    /**
     * The shape of a call.
     *
     * @throws InvalidArgumentException if it is not well formed; names argument, value and what is allowed
     */
    CallShape shapeOf(CollectiveCall call) {
        checkType(call);
        checkOp(call);
        checkRoot(call);
        long slice = sliceBytes(call);
        return new CallShape(
                call.collective(),
                call.type(),
                call.op(),
                call.root(),
                slice,
                slice > 0 && isInPlace(call, slice), // empty buffers share nothing, whatever their addresses
                call.algorithm());
    }

    private void checkType(CollectiveCall call) {
        if (!capabilities.dataTypes().contains(call.type())) {
            throw invalid(call, "the data type", call.type(), "those of the backend, " + capabilities.dataTypes());
        }
    }

    private void checkOp(CollectiveCall call) {
        ReduceOp op = call.op();
        boolean reduces = call.collective().reduces();
        if (reduces == (op.kind() == ReduceOp.Kind.NOP)) {
            throw invalid(call, "the reduce operation", op, reduces ? "any but nop" : "nop, since it only moves data");
        }
        if (reduces && !capabilities.reduceOps().contains(op.kind())) {
            throw invalid(call, "the reduce operation", op, "those of the backend, " + capabilities.reduceOps());
        }
        if (!op.kind().supports(call.type())) {
            throw invalid(call, "the reduce operation", op, "one that is defined on " + call.type());
        }
        if (!call.type().isFloat()
                && op.kind() == ReduceOp.Kind.PREMUL_SUM
                && (op.factor() != Math.rint(op.factor()) || Math.abs(op.factor()) >= 0x1p63)) {
            throw invalid(call, "the factor", op.factor(), "whole numbers below 2^63 for " + call.type());
        }
    }

    private void checkRoot(CollectiveCall call) {
        boolean rooted = switch (call.collective()) {
            case BROADCAST, REDUCE, SCATTER, GATHER -> true;
            default -> false;
        };
        int last = rooted ? size - 1 : 0;
        if (call.root() < 0 || call.root() > last) {
            throw invalid(call, "the root", call.root(), rooted ? "0 to " + last : "0, since there is none");
        }
    }

    private long sliceBytes(CollectiveCall call) {
        long input = slice(call, "the input", call.input(), call.collective().inputSlices(size));
        long output = slice(call, "the output", call.output(), call.collective().outputSlices(size));
        if (input != output) {
            int inputParts = call.collective().inputSlices(size);
            int outputParts = call.collective().outputSlices(size);
            throw invalid(
                    call,
                    "the output",
                    call.output().byteSize() + " bytes",
                    input * outputParts + " bytes" + (outputParts > 1 ? ", " + outputParts + " parts" : "")
                            + ", for an input of " + call.input().byteSize() + " bytes"
                            + (inputParts > 1 ? ", " + inputParts + " parts" : ""));
        }
        return input;
    }

    private long slice(CollectiveCall call, String what, DeviceBuffer buffer, int slices) {
        long unit = (long) slices * call.type().byteSize();
        if (buffer.byteSize() % unit != 0) {
            throw invalid(
                    call,
                    what,
                    buffer.byteSize() + " bytes",
                    "a multiple of " + unit + ": " + (slices > 1 ? slices + " parts of whole " : "whole ") + call.type()
                            + " elements");
        }
        return buffer.byteSize() / slices;
    }

    /** Whether the buffers share memory as they may; throws if they share it otherwise. */
    private boolean isInPlace(CollectiveCall call, long slice) {
        long input = call.input().address();
        long output = call.output().address();
        boolean inPlace = switch (call.collective()) {
            case ALLGATHER, GATHER -> input == output + rank * slice;
            case REDUCESCATTER, SCATTER -> output == input + rank * slice;
            default -> input == output;
        };
        boolean overlap = input < output + call.output().byteSize()
                && output < input + call.input().byteSize();
        if (overlap && !inPlace) {
            throw new InvalidArgumentException(call.collective() + ", rank " + rank
                    + ": input and output overlap; allowed: separate buffers, or "
                    + switch (call.collective()) {
                        case ALLGATHER, GATHER -> "the input as part " + rank + " of the output";
                        case REDUCESCATTER, SCATTER -> "the output as part " + rank + " of the input";
                        default -> "the same buffer";
                    });
        }
        return inPlace;
    }

    private InvalidArgumentException invalid(CollectiveCall call, String what, Object given, String allowed) {
        return new InvalidArgumentException(
                call.collective() + ", rank " + rank + ": " + what + " is " + given + "; allowed: " + allowed);
    }

    /** The buffer that contains the other one in place. */
    static DeviceBuffer larger(CollectiveCall call) {
        return call.collective() == Collective.ALLGATHER || call.collective() == Collective.GATHER
                ? call.output()
                : call.input();
    }
}
