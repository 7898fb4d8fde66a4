package org.mscclj.runtime.collective;

import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.execution.CallArguments;
import org.mscclj.runtime.execution.ExecutionEnvironment;
import org.mscclj.runtime.execution.PreparedPlan;
import org.mscclj.runtime.resource.Resources;

/** Reductions of parts of any sizes on one rank: a reduce for each part that is not empty. Used by one thread at a time. */
public final class PartReductions implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final RankCollectives collectives;
    private final Stream stream;

    /** What this rank passes as the output of a reduction that it has none of. Nobody touches it; the last one is the largest. */
    private final List<DeviceBuffer> untouched = new ArrayList<>();

    /**
     * Reductions.
     *
     * @param collectives carries out the single ones
     * @param stream what launches use that name no stream
     */
    public PartReductions(ExecutionEnvironment environment, RankCollectives collectives, Stream stream) {
        this.environment = environment;
        this.collectives = collectives;
        this.stream = stream;
    }

    /** See {@link org.mscclj.api.Communicator#prepare(ReduceScatterCall)}. Collective. */
    public PreparedOperation prepare(ReduceScatterCall call) {
        List<PreparedPlan> prepared = new ArrayList<>();
        try {
            for (CollectiveCall reduce : reduces(call)) {
                prepared.add(collectives.prepare(reduce));
            }
            return new PreparedReductions(prepared, stream);
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(prepared, e);
            throw e;
        }
    }

    /** See {@link org.mscclj.api.Communicator#execute(ReduceScatterCall)}. */
    public Work execute(ReduceScatterCall call) {
        List<Work> works = new ArrayList<>();
        List<CollectiveCall> reduces = reduces(call);
        collectives.checkAll(reduces); // what is wrong with the last part is told before the first is reduced
        for (CollectiveCall reduce : reduces) {
            works.add(collectives.execute(reduce, true)); // only the owner of a part knows where the output lies
        }
        return new ReductionsWork(
                works, environment.timeout(), environment.order().shared());
    }

    private List<CollectiveCall> reduces(ReduceScatterCall call) {
        List<CollectiveCall> reduces = new ArrayList<>();
        int rank = environment.control().rank();
        int size = environment.control().size();
        if (call.inputs().size() != size) {
            throw InvalidArgumentException.of(
                    "reduceScatter: number of inputs", call.inputs().size(), size + ", one for each rank");
        }
        long own = call.inputs().get(rank).byteSize();
        if (call.output().byteSize() != own) {
            throw InvalidArgumentException.of(
                    "reduceScatter: the output",
                    call.output().byteSize() + " bytes",
                    own + " bytes, as the input for this rank, " + rank);
        }
        for (int owner = 0; owner < call.inputs().size(); owner++) {
            DeviceBuffer input = call.inputs().get(owner);
            if (input.byteSize() > 0) {
                DeviceBuffer output = owner == rank ? call.output() : unusedOutput(call, input);
                reduces.add(
                        CollectiveCall.reduce(input, output, call.type(), owner).op(call.op()));
            }
        }
        return reduces;
    }

    /**
     * Some memory, for a reduction of another rank's part, which leaves it as it is: the own output, or another part, where one is large enough, so that only the
     * largest part takes memory of its own.
     */
    private DeviceBuffer unusedOutput(ReduceScatterCall call, DeviceBuffer input) {
        long bytes = input.byteSize();
        List<DeviceBuffer> candidates = new ArrayList<>(call.inputs());
        candidates.addFirst(call.output());
        return candidates.stream()
                .filter(buffer -> buffer.byteSize() >= bytes && !CallArguments.overlap(buffer, input))
                .findFirst()
                .orElseGet(() -> untouched(bytes))
                .slice(0, bytes);
    }

    private DeviceBuffer untouched(long bytes) {
        long most = untouched.isEmpty() ? 0 : untouched.getLast().byteSize();
        if (most < bytes) {
            untouched.add(environment.device().allocate(Math.max(bytes, 2 * most)));
        }
        return untouched.getLast();
    }

    /** Frees what was never used; to be called when all launches have ended. */
    @Override
    public void close() {
        Resources.close(untouched);
        untouched.clear();
    }
}
