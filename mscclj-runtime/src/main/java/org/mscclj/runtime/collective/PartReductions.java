package org.mscclj.runtime.collective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.ReduceScatterCall;
import org.mscclj.api.Work;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.control.Exchange;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.environment.CallArguments;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.execution.operation.NanCheck;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.signature.ReductionSignature;

/**
 * Variable-size reduce-scatter on one rank: one reduce for each part that is not empty. Used by one thread at a time.
 */
public final class PartReductions implements AutoCloseable {
    private final ExecutionEnvironment environment;
    private final RankCollectives collectives;
    private final Stream stream;

    /**
     * Memory that this rank passes as the output of reductions for which it has no output. No kernel accesses it; the
     * last buffer is the largest.
     */
    private final List<DeviceBuffer> untouched = new ArrayList<>();

    /**
     * Creates the reductions of a rank.
     *
     * @param collectives carries out the single reductions
     * @param stream the stream of launches that name none
     */
    public PartReductions(ExecutionEnvironment environment, RankCollectives collectives, Stream stream) {
        this.environment = environment;
        this.collectives = collectives;
        this.stream = stream;
    }

    /** See {@link org.mscclj.api.Communicator#prepare(ReduceScatterCall)}. Collective. */
    public PreparedOperation prepare(ReduceScatterCall call) {
        List<PreparedCall> prepared = new ArrayList<>();
        try {
            for (CollectiveCall reduce : agree(TopicKind.PREPARE_REDUCTION, call)) {
                prepared.add(collectives.prepare(reduce, null, true));
            }
            return new PreparedReductions(
                    prepared,
                    stream,
                    call.options().timeout().orElse(environment.timeout()),
                    environment.order()::shared,
                    nanCheck(call),
                    comparison(call));
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(prepared, e);
            throw e;
        }
    }

    /** See {@link org.mscclj.api.Communicator#execute(ReduceScatterCall, Stream)}. */
    public Work execute(ReduceScatterCall call, Stream on) {
        NanCheck check = nanCheck(call);
        if (check != null) {
            check.look(on);
        }
        Duration timeout = call.options().timeout().orElse(environment.timeout());
        List<Work> works = new ArrayList<>();
        try {
            for (CollectiveCall reduce : agreed(call)) {
                works.add(
                        collectives.execute(reduce, on, true)); // only the owner of a part knows where the output lies
            }
        } catch (MsccljException e) {
            if (environment.abort().isSet()) { // no caller can join the launches that were made
                JoinedParts.awaitEnds(works, Long.MAX_VALUE, JoinedParts::join);
            }
            throw e;
        }
        return new ReductionsWork(
                works,
                timeout,
                works.isEmpty() ? environment.order().shared() : works.getLast().sequence());
    }

    /** Returns a comparison of all parts of a launch between the ranks; null if it is not enabled. */
    private @Nullable Runnable comparison(ReduceScatterCall call) {
        if (!environment.options().checksCalls()) {
            return null;
        }
        ReductionSignature signature = signature(call);
        return () -> requireEqual(TopicKind.LAUNCH_REDUCTION, signature::encode);
    }

    /**
     * Returns a check of the inputs of all parts, which runs before the first part is reduced; null if it is not
     * enabled.
     */
    private @Nullable NanCheck nanCheck(ReduceScatterCall call) {
        if (!NanCheck.isWanted(environment, call.options(), call.type())) {
            return null;
        }
        List<NanCheck.Input> parts = new ArrayList<>();
        for (DeviceBuffer input : call.inputs()) {
            parts.add(new NanCheck.Input("the input for rank " + parts.size(), input));
        }
        return NanCheck.of(environment, "reduceScatter", call.type(), parts);
    }

    /**
     * Returns the collective calls that carry out a call. Collective, unless all of them were set up before, and so
     * have been compared.
     */
    private List<CollectiveCall> agreed(ReduceScatterCall call) {
        return known(call).orElseGet(() -> {
            try (LaunchWatch _ =
                    new LaunchWatch(environment, () -> "makes a call that was not set up, " + words(call))) {
                return agree(TopicKind.EXECUTE_REDUCTION, call);
            }
        });
    }

    /**
     * Returns the collective calls that carry out a call, if all of them were set up before. Empty if one of them is
     * new; if the call is refused, which the ranks find out together; or if there is nothing to launch, because then no
     * rank would notice that other ranks have more to launch.
     */
    private Optional<List<CollectiveCall>> known(ReduceScatterCall call) {
        if (environment.options().checksCalls()) {
            return Optional.empty();
        }
        try {
            return Optional.of(reduces(call)).filter(reduces -> !reduces.isEmpty() && collectives.areKnown(reduces));
        } catch (MsccljException refused) {
            return Optional.empty();
        }
    }

    /**
     * Compares the calls of all ranks before the first part is reduced, so that either all ranks refuse the call or
     * none does. Collective.
     */
    private List<CollectiveCall> agree(TopicKind what, ReduceScatterCall call) {
        try (CallScope _ =
                environment.control().during(words(call), call.options().timeout())) {
            return agreeTogether(what, call);
        }
    }

    private List<CollectiveCall> agreeTogether(TopicKind what, ReduceScatterCall call) {
        List<CollectiveCall> reduces = new ArrayList<>();
        requireEqual(what, () -> {
            reduces.addAll(reduces(call));
            reduces.forEach(collectives::check);
            return signature(call).encode();
        });
        return reduces;
    }

    private void requireEqual(TopicKind what, Supplier<byte[]> own) {
        Exchange.requireEqual(
                environment.control(),
                Topic.of(what),
                own,
                signature -> ReductionSignature.decode(signature).describe(),
                calls -> new InvalidArgumentException(
                        "ranks make different calls: " + calls + "; all must make the same"));
    }

    private static String words(ReduceScatterCall call) {
        return signature(call).describe();
    }

    private static ReductionSignature signature(ReduceScatterCall call) {
        return new ReductionSignature(
                call.type(),
                call.op().kind(),
                call.inputs().stream().map(DeviceBuffer::byteSize).toList());
    }

    private List<CollectiveCall> reduces(ReduceScatterCall call) {
        environment.hints().checkCall(call.options().hints());
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
        environment.arguments().checkAlignment("reduceScatter", "the output", call.output(), call.type());
        for (int owner = 0; owner < call.inputs().size(); owner++) {
            DeviceBuffer input = call.inputs().get(owner);
            environment.arguments().checkAlignment("reduceScatter", "the input for rank " + owner, input, call.type());
            if (CallArguments.overlap(input, call.output())) {
                throw new InvalidArgumentException("reduceScatter, rank " + rank
                        + ": the output overlaps the input for rank " + owner
                        + "; allowed: an output of its own, since inputs stay as they are");
            }
            if (input.byteSize() > 0) {
                DeviceBuffer output = owner == rank ? call.output() : unusedOutput(call, input);
                reduces.add(CollectiveCall.reduce(input, output, call.type(), owner)
                        .op(call.op())
                        .options(call.options()));
            }
        }
        return reduces;
    }

    /**
     * Returns memory for the output of a reduction of another rank's part, which does not change it: this rank's
     * output, or another part, if one of them is large enough. Only the largest part therefore takes additional memory.
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

    /** Frees the memory for outputs that are never written. All launches must have ended. */
    @Override
    public void close() {
        Resources.close(untouched);
        untouched.clear();
    }
}
