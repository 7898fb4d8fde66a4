package org.mscclj.runtime.communicator;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.mscclj.api.Communicator;
import org.mscclj.api.Quorum;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.runtime.control.CallScope;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.time.RunningDeadline;

/**
 * The communicators that a communicator gives rise to: children by splits, and one successor by {@code shrink} or
 * {@code reconfigure}, which ends it.
 */
final class Successors implements AutoCloseable {
    private final CommunicatorSpec spec;
    private final ExecutionEnvironment environment;
    private final Shrinking shrinking;
    private final RecoveryCall recovery = new RecoveryCall();
    private long splits;
    private boolean succeeded;

    Successors(CommunicatorSpec spec, ExecutionEnvironment environment) {
        this.spec = spec;
        this.environment = environment;
        this.shrinking = new Shrinking(spec, environment.control());
    }

    /**
     * Splits the communicator. Collective.
     *
     * @param agreement returns the ranks of the child of this rank, on which the ranks have agreed; none if it has no
     *     child
     */
    Optional<Communicator> split(Supplier<List<Integer>> agreement, String childName, Duration timeout) {
        RunningDeadline limit = RunningDeadline.after(timeout);
        List<Integer> members;
        try (CallScope _ = environment.control().within(limit)) {
            members = agreement.get();
        }
        Optional<Communicator> child = child(members, childName, limit);
        environment.hooks().split(members, childName);
        return child;
    }

    private Optional<Communicator> child(List<Integer> members, String childName, RunningDeadline limit) {
        splits++;
        if (members.isEmpty()) {
            return Optional.empty();
        }
        RuntimeCommunicator child = spec.splitter()
                .child(members, childName, splits, environment.control().rank());
        ChildSetUp setUp = new ChildSetUp(environment.control(), environment.abort(), members, members);
        try {
            return Optional.of(setUp.connect(child, limit));
        } catch (AbortedException e) {
            throw setUp.becauseOfParent(e);
        }
    }

    /** See {@link Communicator#shrink}. */
    Communicator shrink(List<Integer> excluded, RunningDeadline limit) {
        requireNone();
        Communicator child = recovery.run("shrink", () -> shrinking.without(excluded, recovery, limit));
        succeeded = true;
        abort("it was shrunk: its ranks without " + excluded + " go on in another communicator");
        return child;
    }

    /** See {@link Communicator#reconfigure}. */
    Communicator reconfigure(Quorum quorum, Duration limit) {
        requireNone();
        Communicator next = recovery.run(
                "reconfigure by quorum " + quorum.id(),
                () -> spec.reconfigurer().with(quorum, environment.control().rank(), limit, recovery::forms));
        succeeded = true;
        abort("it was reconfigured: quorum " + quorum.id() + " goes on in another communicator");
        return next;
    }

    private void requireNone() {
        if (succeeded) {
            throw new InvalidArgumentException("communicator " + spec.name()
                    + " has a successor; go on with what shrink or reconfigure has given");
        }
    }

    /** Aborts the communicator, and a successor that is being set up. */
    void abort(String reason) {
        environment.abort().set(reason);
        recovery.abort(reason);
    }

    /** See {@link RuntimeCommunicator#wasShrunkFrom}. */
    void after(Supplier<Optional<String>> leftBehind) {
        shrinking.after(leftBehind);
    }

    @Override
    public void close() {
        shrinking.close();
    }
}
