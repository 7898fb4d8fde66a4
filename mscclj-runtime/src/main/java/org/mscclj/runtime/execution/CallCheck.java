package org.mscclj.runtime.execution;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.validation.FixedReduceOp;
import org.mscclj.spi.Capabilities;

/** Checks what one rank can check of a call, before anything happens. */
final class CallCheck {
    private final int rank;
    private final int size;
    private final Capabilities capabilities;

    CallCheck(int rank, int size, Capabilities capabilities) {
        this.rank = rank;
        this.size = size;
        this.capabilities = capabilities;
    }

    /**
     * Checks a call.
     *
     * @return bytes of a slice
     * @throws InvalidArgumentException naming argument, value and what is allowed
     */
    long check(Plan plan, PlanCall call) {
        if (plan.worldSize() != size) {
            throw invalid(plan, "its ranks", plan.worldSize(), size + ", the size of the communicator");
        }
        long slice = sliceBytes(plan, call);
        checkType(plan, call);
        checkOp(plan, call);
        checkSizeLimits(plan, call);
        if (plan.inPlace()) {
            checkInPlace(plan, call, slice);
        } else {
            checkDisjoint(plan, call);
        }
        return slice;
    }

    private void checkType(Plan plan, PlanCall call) {
        if (!capabilities.dataTypes().contains(call.type())) {
            throw invalid(plan, "the data type", call.type(), "those of the backend, " + capabilities.dataTypes());
        }
    }

    private void checkOp(Plan plan, PlanCall call) {
        ReduceOp op = call.op();
        if (plan.collective() == Collective.TEST) {
            checkFixed(plan, op);
            return;
        }
        if (plan.collective().reduces() == (op.kind() == ReduceOp.Kind.NOP)) {
            throw invalid(
                    plan,
                    "the reduce operation",
                    op,
                    plan.collective().reduces()
                            ? "any but nop for " + plan.collective()
                            : "nop for " + plan.collective());
        }
        if (!op.kind().supports(call.type())) {
            throw invalid(plan, "the reduce operation", op, "one that is defined on " + call.type());
        }
        if (!call.type().isFloat()
                && op.kind() == ReduceOp.Kind.PREMUL_SUM
                && (op.factor() != Math.rint(op.factor()) || Math.abs(op.factor()) >= 0x1p63)) {
            throw invalid(plan, "the factor", op.factor(), "whole numbers below 2^63 for " + call.type());
        }
        checkFixed(plan, op);
    }

    private void checkFixed(Plan plan, ReduceOp op) {
        FixedReduceOp.conflicting(plan, op).ifPresent(kind -> {
            throw invalid(plan, "the reduce operation", op, kind.label() + ", which the plan fixes");
        });
    }

    private long sliceBytes(Plan plan, PlanCall call) {
        int chunks = LaunchGeometry.chunksPerSlice(plan);
        long input = slice(plan, "the input", call.input(), plan.collective().inputSlices(size), call);
        long output = slice(plan, "the output", call.output(), plan.collective().outputSlices(size), call);
        if (chunks == 0) {
            return 0; // a test plan without data: sizes do not count, and need not agree
        }
        boolean ignoreInput = plan.ranks().get(rank).inputChunks() == 0;
        boolean ignoreOutput = plan.ranks().get(rank).outputChunks() == 0;
        if (input != output && !ignoreInput && !ignoreOutput) {
            throw invalid(
                    plan,
                    "the output's slice",
                    output + " bytes",
                    input + " bytes, like the input's, for " + plan.collective());
        }
        return ignoreInput ? output : input;
    }

    private long slice(Plan plan, String what, DeviceBuffer buffer, int slices, PlanCall call) {
        long unit = (long) slices * call.type().byteSize();
        if (buffer.byteSize() % unit != 0) {
            throw invalid(
                    plan,
                    what,
                    buffer.byteSize() + " bytes",
                    "a multiple of " + unit + ": " + slices + " slices of whole " + call.type() + " elements");
        }
        return buffer.byteSize() / slices;
    }

    private void checkSizeLimits(Plan plan, PlanCall call) {
        long bytes = messageSize(plan.collective(), call);
        if (Long.compareUnsigned(bytes, plan.minMessageSize()) < 0
                || Long.compareUnsigned(bytes, plan.maxMessageSize()) > 0) {
            throw invalid(
                    plan,
                    "the message",
                    bytes + " bytes",
                    Long.toUnsignedString(plan.minMessageSize()) + " to " + Long.toUnsignedString(plan.maxMessageSize())
                            + " bytes");
        }
    }

    /** The size that a plan's limits speak of, in bytes. */
    static long messageSize(Collective collective, PlanCall call) {
        return collective == Collective.ALLGATHER
                ? call.output().byteSize()
                : call.input().byteSize();
    }

    private void checkInPlace(Plan plan, PlanCall call, long slice) {
        long input = call.input().address();
        long output = call.output().address();
        boolean placed = switch (plan.collective()) {
            case TEST -> true;
            case ALLGATHER, GATHER -> input == output + rank * slice;
            case REDUCESCATTER, SCATTER -> output == input + rank * slice;
            default -> input == output;
        };
        if (!placed) {
            throw new InvalidArgumentException("plan " + plan.name() + " works in place: "
                    + switch (plan.collective()) {
                        case ALLGATHER, GATHER -> "the input must be slice " + rank + " of the output";
                        case REDUCESCATTER, SCATTER -> "the output must be slice " + rank + " of the input";
                        default -> "input and output must be the same buffer";
                    }
                    + "; pass such buffers, or use a plan that works out of place");
        }
    }

    private void checkDisjoint(Plan plan, PlanCall call) {
        DeviceBuffer input = call.input();
        DeviceBuffer output = call.output();
        if (plan.collective() != Collective.TEST
                && input.byteSize() > 0
                && output.byteSize() > 0
                && input.address() < output.address() + output.byteSize()
                && output.address() < input.address() + input.byteSize()) {
            throw new InvalidArgumentException("plan " + plan.name()
                    + " works out of place: input and output overlap; pass separate buffers, or use a plan that works in"
                    + " place");
        }
    }

    private InvalidArgumentException invalid(Plan plan, String what, Object given, String allowed) {
        return new InvalidArgumentException(
                "plan " + plan.name() + ", rank " + rank + ": " + what + " is " + given + "; allowed: " + allowed);
    }
}
