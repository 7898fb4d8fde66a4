package org.mscclj.runtime.execution.binding;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.plan.PlanCall;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.Plan;
import org.mscclj.runtime.execution.plan.BufferUse;
import org.mscclj.runtime.execution.plan.SharedPlans;
import org.mscclj.spi.engine.Scaling;
import org.mscclj.spi.engine.SumForm;

/**
 * Buffers and operation with which a plan carries out a call: the caller's buffers or, for an average or a
 * premultiplied sum, addends.
 *
 * @param input buffer in which the plan finds this rank's input
 * @param output buffer in which the plan leaves this rank's output
 * @param type the type of the elements in these buffers
 * @param op the operation with which the plan combines them
 * @param sliceBytes bytes of a slice in these buffers
 * @param scaling the conversion between addends and elements; empty for other operations
 */
public record PlanWorkload(
        DeviceBuffer input,
        DeviceBuffer output,
        DataType type,
        ReduceOp op,
        long sliceBytes,
        Optional<Scaling> scaling) {

    /** Returns whether a plan uses addends to carry out calls of an operation. */
    public static boolean hasAddends(Plan plan, ReduceOp.Kind op) {
        return SumForm.isFor(op, plan.worldSize());
    }

    /** Returns the bytes of a slice in the plan's buffers for the given bytes of a slice of the caller. */
    public static long sliceBytes(Plan plan, DataType type, ReduceOp.Kind op, long callerBytes) {
        return SumForm.isFor(op, plan.worldSize())
                ? SumForm.of(type, op, plan.worldSize()).bytes(callerBytes, type)
                : callerBytes;
    }

    /** Returns the bytes of a slice of the caller for the given bytes of a slice in the plan's buffers. */
    public static long callerBytes(Plan plan, DataType type, ReduceOp.Kind op, long bytes) {
        return SumForm.isFor(op, plan.worldSize())
                ? bytes / SumForm.of(type, op, plan.worldSize()).bytesOfElement() * type.byteSize()
                : bytes;
    }

    /**
     * Returns the workload for a call.
     *
     * @param slice bytes of the caller's slice
     * @param memory separate memory for addends and sums that cannot lie in the caller's buffers
     * @param resources receives what the workload holds of that memory
     */
    public static PlanWorkload of(
            Plan plan, int rank, PlanCall call, long slice, SumMemory memory, List<AutoCloseable> resources) {
        return hasAddends(plan, call.op().kind())
                ? ofAddends(plan, rank, call, slice, memory, resources)
                : ofCaller(call, slice);
    }

    /** Returns the bytes of separate memory that a call without shared buffers needs for addends and sums. */
    public static long sumBytes(Plan plan, int rank, DataType type, ReduceOp.Kind op, long sliceBytes) {
        SumForm form = SumForm.of(type, op, plan.worldSize());
        if (form.isInPlaceOf(type) && SharedPlans.onlyScratch(plan)) {
            if (!plan.inPlace()) {
                return sliceBytes * plan.collective().inputSlices(plan.worldSize());
            }
            if (plan.collective() == Collective.ALLREDUCE) {
                return 0;
            }
        }
        return AddendPlaces.of(plan, rank, form.bytes(sliceBytes, type)).bytes();
    }

    /** Returns a workload on the caller's buffers. An average of one rank's contribution is a sum. */
    public static PlanWorkload ofCaller(PlanCall call, long sliceBytes) {
        ReduceOp op = call.op().kind() == ReduceOp.Kind.AVG ? ReduceOp.SUM : call.op();
        return new PlanWorkload(call.input(), call.output(), call.type(), op, sliceBytes, Optional.empty());
    }

    /**
     * Returns a workload on addends.
     *
     * @param sliceBytes bytes of the caller's slice
     * @param memory separate memory for addends and sums that cannot lie in the caller's buffers
     * @param resources receives what the workload holds of that memory
     */
    static PlanWorkload ofAddends(
            Plan plan, int rank, PlanCall call, long sliceBytes, SumMemory memory, List<AutoCloseable> resources) {
        SumForm form = SumForm.of(call.type(), call.op().kind(), plan.worldSize());
        boolean mayUseCallers = form.isInPlaceOf(call.type()) && SharedPlans.onlyScratch(plan);
        DeviceBuffer input;
        DeviceBuffer output;
        if (mayUseCallers && plan.inPlace() && plan.collective() == Collective.ALLREDUCE) {
            input = call.input();
            output = call.output();
        } else if (mayUseCallers && !plan.inPlace()) {
            input = lease(memory, call.input().byteSize(), resources);
            output = call.output();
        } else {
            AddendPlaces places = AddendPlaces.of(plan, rank, form.bytes(sliceBytes, call.type()));
            DeviceBuffer all = lease(memory, places.bytes(), resources);
            input = places.input(all);
            output = places.output(all);
        }
        return ofAddends(plan, rank, call, sliceBytes, input, output);
    }

    /**
     * Returns a workload on addends and sums at the start of buffers that the ranks share.
     *
     * @param input the whole input
     * @param output the whole output; the input if the plan works in place
     */
    public static PlanWorkload ofShared(
            Plan plan, int rank, PlanCall call, long sliceBytes, DeviceBuffer input, DeviceBuffer output) {
        SumForm form = SumForm.of(call.type(), call.op().kind(), plan.worldSize());
        AddendPlaces places = AddendPlaces.of(plan, rank, form.bytes(sliceBytes, call.type()));
        return ofAddends(
                plan,
                rank,
                call,
                sliceBytes,
                places.input(input),
                plan.inPlace() ? places.output(output) : output.slice(0, places.outputBytes()));
    }

    /** Returns a workload on addends and sums in the given buffers. */
    private static PlanWorkload ofAddends(
            Plan plan, int rank, PlanCall call, long sliceBytes, DeviceBuffer input, DeviceBuffer output) {
        SumForm form = SumForm.of(call.type(), call.op().kind(), plan.worldSize());
        boolean everyRankHasResult = plan.collective() != Collective.REDUCE || plan.worldSize() == 1;
        Scaling scaling = new Scaling(
                form,
                call.input(),
                call.output(),
                call.type(),
                call.op(),
                everyRankHasResult || BufferUse.isOutputWritten(plan, rank));
        return new PlanWorkload(
                input, output, form.type(), ReduceOp.SUM, form.bytes(sliceBytes, call.type()), Optional.of(scaling));
    }

    private static DeviceBuffer lease(SumMemory memory, long bytes, List<AutoCloseable> resources) {
        SumMemory.Lease lease = memory.lease(bytes);
        resources.add(lease);
        return lease.buffer().slice(0, bytes);
    }
}
