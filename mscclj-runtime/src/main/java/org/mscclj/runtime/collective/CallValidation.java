package org.mscclj.runtime.collective;

import org.mscclj.api.CollectiveCall;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.runtime.execution.environment.CallArguments;
import org.mscclj.runtime.selection.CallDescriptor;
import org.mscclj.runtime.settings.GroupHints;
import org.mscclj.runtime.signature.Role;

/** Checks, before anything happens, those arguments of a collective call that one rank can check alone. */
record CallValidation(CallArguments arguments, GroupHints hints) {

    /**
     * Returns the shape of a call.
     *
     * @throws InvalidArgumentException if the call is not well formed; names the argument, its value and what is
     *     allowed
     */
    CallDescriptor shapeOf(CollectiveCall call) {
        arguments.checkType(call.collective(), call.type());
        arguments.checkOp(call.collective(), call.collective(), call.op(), call.type());
        checkRoot(call);
        hints.checkCall(call.options().hints());
        long slice = sliceBytes(call);
        return new CallDescriptor(
                call.collective(),
                call.type(),
                withoutFactor(call.op()),
                call.root(),
                slice,
                slice > 0 && isInPlace(call, slice), // empty buffers share no memory, whatever their addresses
                call.algorithm(),
                call.arguments().withoutValues(),
                Role.ITSELF);
    }

    /** Returns the operation without its factor, because factors may differ between ranks. */
    private static ReduceOp withoutFactor(ReduceOp op) {
        return op.kind() == ReduceOp.Kind.PREMUL_SUM ? ReduceOp.premulSum(1) : op;
    }

    private void checkRoot(CollectiveCall call) {
        boolean rooted = call.collective().hasRoot();
        int last = rooted ? arguments.size() - 1 : 0;
        if (call.root() < 0 || call.root() > last) {
            throw invalid(call, "the root", call.root(), rooted ? "0 to " + last : "0, since there is none");
        }
    }

    private long sliceBytes(CollectiveCall call) {
        int inputParts = call.collective().inputSlices(arguments.size());
        int outputParts = call.collective().outputSlices(arguments.size());
        long input = arguments.slice(call.collective(), "the input", call.input(), inputParts, call.type());
        long output = arguments.slice(call.collective(), "the output", call.output(), outputParts, call.type());
        if (input != output) {
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

    /**
     * Returns whether the buffers share memory as in the collective's in-place form; throws if they overlap in another
     * way.
     */
    private boolean isInPlace(CollectiveCall call, long slice) {
        boolean inPlace = arguments.isInPlace(call.collective(), call.input(), call.output(), slice);
        if (!inPlace && CallArguments.overlap(call.input(), call.output())) {
            throw new InvalidArgumentException(call.collective() + ", rank " + arguments.rank()
                    + ": input and output overlap; allowed: separate buffers, or "
                    + arguments.inPlace(call.collective()));
        }
        return inPlace;
    }

    private InvalidArgumentException invalid(CollectiveCall call, String what, Object given, String allowed) {
        return arguments.invalid(call.collective(), what, given, allowed);
    }

    /** Returns the buffer that contains the other one in an in-place call. */
    static DeviceBuffer larger(CollectiveCall call) {
        return call.collective() == Collective.ALLGATHER || call.collective() == Collective.GATHER
                ? call.output()
                : call.input();
    }
}
