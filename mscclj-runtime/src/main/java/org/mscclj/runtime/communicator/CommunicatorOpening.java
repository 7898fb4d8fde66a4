package org.mscclj.runtime.communicator;

import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.control.ControlPlane;
import org.mscclj.runtime.control.Topic;
import org.mscclj.runtime.control.TopicKind;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.resource.Resources;

/** The last step in which ranks open a communicator together. It succeeds on all ranks or on none. */
record CommunicatorOpening(RuntimeCommunicator communicator, ExecutionEnvironment environment) {
    /** Connects the communicator; closes it if that fails on a rank. Collective. */
    void connect() {
        try {
            communicator.connect();
            awaitAllConnected();
            communicator.noteFaults();
        } catch (OperationTimeoutException e) { // other ranks may wait for this rank, which is not to blame
            environment.abort().expire(communicator.name() + " was not set up: " + e.getMessage(), e.missingRanks());
            Resources.closeSuppressing(List.of(communicator), e);
            throw e;
        } catch (AbortedException e) { // without an abort, this thread was interrupted; its rank is not lost
            environment
                    .abort()
                    .set("rank " + communicator.rank() + " gives up setting " + communicator.name() + " up: "
                            + e.getMessage());
            Resources.closeSuppressing(List.of(communicator), e);
            throw e;
        } catch (InvalidArgumentException | BackendException e) {
            // a rank may have given up, and its memory may be gone before the message about it has arrived
            Optional<MsccljException> ended =
                    environment.control().ended("set up communicator " + communicator.name(), ControlPlane.MAX_ANSWER);
            ended.ifPresent(told -> told.initCause(e));
            MsccljException thrown = ended.orElse(e);
            Resources.closeSuppressing(List.of(communicator), thrown);
            throw thrown;
        } catch (RuntimeException | Error e) {
            Resources.closeSuppressing(List.of(communicator), e);
            throw e;
        }
    }

    /**
     * Waits until all ranks are connected. As soon as this rank has contributed, other ranks may be done. An interrupt
     * is then too late to give up; it is kept for the caller.
     */
    private void awaitAllConnected() {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    environment.control().barrier(Topic.of(TopicKind.CONNECTED));
                    return;
                } catch (AbortedException e) {
                    if (environment.abort().isSet() || !Thread.interrupted()) {
                        throw e;
                    }
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
