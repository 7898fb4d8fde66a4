package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.runtime.socket.ControlSocket;
import org.mscclj.runtime.thread.ControlThreads;
import org.mscclj.runtime.time.Deadline;

/**
 * The last message of rank 0 at the rendezvous. A thread reads it while this rank still connects to other ranks. This
 * rank therefore waits for no rank that is lost: rank 0 is connected to all ranks, and notices the loss.
 */
final class RendezvousVerdict {
    private final CompletableFuture<Optional<RuntimeException>> failure = new CompletableFuture<>();

    /**
     * Starts to read.
     *
     * @param zero the connection to rank 0; only this object reads from it until the message has arrived
     * @param onFailure receives the reason, if the group does not form
     */
    RendezvousVerdict(ControlSocket zero, Consumer<RuntimeException> onFailure) {
        ControlThreads.start("mscclj-rendezvous", () -> {
            Optional<RuntimeException> read = read(zero);
            read.ifPresent(onFailure);
            failure.complete(read);
        });
    }

    private static Optional<RuntimeException> read(ControlSocket zero) {
        try {
            return switch (Registration.decode(zero.read())) {
                case Registration.Formed() -> Optional.empty();
                case Registration.Failed failed -> Optional.of(failed.exception());
                case Registration other -> throw new IOException("it says " + other + " last");
            };
        } catch (IOException e) {
            return Optional.of(lost(e));
        }
    }

    /** Returns the exception for a connection that rank 0 has ended. */
    static RankLostException lost(IOException how) {
        return new RankLostException(
                0,
                "rendezvous: rank 0 is lost: "
                        + Optional.ofNullable(how.getMessage()).orElse("it has ended the connection"));
    }

    /**
     * Waits for the message.
     *
     * @param deadline the end of the wait
     * @throws RankLostException if rank 0 or another rank is lost
     * @throws OperationTimeoutException if ranks could not be reached in time, or rank 0 sends nothing
     */
    void await(Deadline deadline) {
        try {
            Optional<RuntimeException> why = failure.get(deadline.left(), TimeUnit.NANOSECONDS);
            if (why.isPresent()) {
                throw why.get();
            }
        } catch (TimeoutException e) {
            throw new OperationTimeoutException(
                    "rendezvous: rank 0 does not say whether all ranks are connected; it is there, but stays silent",
                    List.of(0));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while waiting for rank 0 to say that all ranks are connected", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the reading thread completes with a value only", e);
        }
    }
}
