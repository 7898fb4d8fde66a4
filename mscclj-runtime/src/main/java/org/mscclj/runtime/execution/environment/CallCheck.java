package org.mscclj.runtime.execution.environment;

import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.plan.layout.LaunchGeometry;
import org.mscclj.plan.validation.FixedReduceOp;

/** Checks the call of a plan as far as one rank can, before the call has any effect. */
public record CallCheck(CallArguments arguments) {

    /**
     * Checks a call.
     *
     * @return bytes of a slice
     * @throws InvalidArgumentException if an argument is not allowed; the exception names the argument, its value and
     *     the allowed values
     */
    public long check(Plan plan, PlanCall call) {
        if (plan.worldSize() != arguments.size()) {
            throw invalid(plan, "its ranks", plan.worldSize(), arguments.size() + ", the size of the communicator");
        }
        long slice = sliceBytes(plan, call);
        arguments.checkType(subject(plan), call.type());
        checkOp(plan, call);
        checkSizeLimits(plan, call);
        if (plan.inPlace()) {
            checkInPlace(plan, call, slice);
        } else {
            checkDisjoint(plan, call);
        }
        return slice;
    }

    private void checkOp(Plan plan, PlanCall call) {
        if (plan.collective() != Collective.TEST) {
            arguments.checkOp(subject(plan), plan.collective(), call.op(), call.type());
        } else if (call.op().kind() == ReduceOp.Kind.NOP) {
            requireOne(plan);
        } else {
            checkOpOfTest(plan, call.op());
        }
        checkFixed(plan, call.op());
    }

    /** A test plan does not declare where its results lie, so the elements to scale are unknown. */
    private void checkOpOfTest(Plan plan, ReduceOp op) {
        if (op.kind() != op.kind().combiner()) {
            throw invalid(plan, "the reduce operation", op, "one that is not scaled, for a plan of collective test");
        }
    }

    private void checkFixed(Plan plan, ReduceOp op) {
        FixedReduceOp.conflicting(plan, op).ifPresent(kind -> {
            requireOne(plan);
            throw invalid(plan, "the reduce operation", op, kind.label() + ", which the plan fixes");
        });
    }

    /** Refuses a plan whose operations fix different reduce operations: no reduce operation fits it. */
    private static void requireOne(Plan plan) {
        FixedReduceOp.contradiction(plan).ifPresent(why -> {
            throw new InvalidArgumentException(subject(plan) + " cannot run: " + why);
        });
    }

    private long sliceBytes(Plan plan, PlanCall call) {
        int chunks = LaunchGeometry.chunksPerSlice(plan);
        long input = slice(plan, "the input", call.input(), plan.collective().inputSlices(arguments.size()), call);
        long output = slice(plan, "the output", call.output(), plan.collective().outputSlices(arguments.size()), call);
        if (chunks == 0) {
            return 0; // a test plan without data: sizes do not count, and need not agree
        }
        boolean ignoreInput = plan.ranks().get(arguments.rank()).inputChunks() == 0;
        boolean ignoreOutput = plan.ranks().get(arguments.rank()).outputChunks() == 0;
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
        return arguments.slice(subject(plan), what, buffer, slices, call.type());
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

    /** Returns the message size to which a plan's limits apply, in bytes. */
    static long messageSize(Collective collective, PlanCall call) {
        return collective == Collective.ALLGATHER
                ? call.output().byteSize()
                : call.input().byteSize();
    }

    private void checkInPlace(Plan plan, PlanCall call, long slice) {
        Collective collective = plan.collective();
        if (collective != Collective.TEST && !arguments.isInPlace(collective, call.input(), call.output(), slice)) {
            throw new InvalidArgumentException(subject(plan) + " works in place; pass " + arguments.inPlace(collective)
                    + ", or use a plan that works out of place");
        }
    }

    private static void checkDisjoint(Plan plan, PlanCall call) {
        if (plan.collective() != Collective.TEST && CallArguments.overlap(call.input(), call.output())) {
            throw new InvalidArgumentException(subject(plan)
                    + " works out of place: input and output overlap; pass separate buffers, or use a plan that"
                    + " works in"
                    + " place");
        }
    }

    private InvalidArgumentException invalid(Plan plan, String what, Object given, String allowed) {
        return arguments.invalid(subject(plan), what, given, allowed);
    }

    private static Subject subject(Plan plan) {
        return new Subject(plan);
    }

    /** Names a plan in a message. Most calls need none. */
    private record Subject(Plan plan) {
        @Override
        public String toString() {
            return "plan " + plan.label();
        }
    }
}
