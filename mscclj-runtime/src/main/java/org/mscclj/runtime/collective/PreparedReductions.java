package org.mscclj.runtime.collective;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.PreparedOperation;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.MsccljException;
import org.mscclj.runtime.execution.operation.NanCheck;
import org.mscclj.runtime.execution.operation.PreparedCall;
import org.mscclj.runtime.resource.Resources;

/** Prepared operations that are launched in order. */
final class PreparedReductions implements PreparedOperation {
    private final List<PreparedCall> parts;
    private final PreparedCall[] inOrder;
    private final Stream stream;
    private final Duration timeout;
    private final LongSupplier lastShared;
    private final @Nullable NanCheck nanCheck;
    private final @Nullable Runnable comparison;

    /**
     * Creates an operation from its parts.
     *
     * @param timeout the timeout of joins of the last launch that pass none
     * @param lastShared the number of the communicator's last launch. It is the number of operations whose parts are
     *     all empty: they launch nothing, and have always ended
     * @param nanCheck the check of all inputs of a launch, which runs before its first part; null for none
     * @param comparison compares a launch between all ranks before its first part; null for none
     */
    PreparedReductions(
            List<PreparedCall> parts,
            Stream stream,
            Duration timeout,
            LongSupplier lastShared,
            @Nullable NanCheck nanCheck,
            @Nullable Runnable comparison) {
        this.parts = List.copyOf(parts);
        this.inOrder = parts.toArray(PreparedCall[]::new);
        this.stream = stream;
        this.timeout = timeout;
        this.lastShared = lastShared;
        this.nanCheck = nanCheck;
        this.comparison = comparison;
    }

    /**
     * Returns whether the first part will refuse the launch, because it is closed or aborted. Then this operation
     * checks and compares nothing before.
     */
    private boolean isRefused() {
        return inOrder.length > 0 && (inOrder[0].isClosed() || inOrder[0].isAborted());
    }

    private void requireSameLaunch() {
        if (comparison != null && !isRefused()) {
            comparison.run();
        }
    }

    private void lookForNan(Stream on) {
        if (nanCheck != null && !isRefused()) {
            nanCheck.look(on);
        }
    }

    @Override
    public void launch(Stream on) {
        Objects.requireNonNull(on, "stream");
        lookForNan(on);
        requireSameLaunch();
        for (PreparedCall part : inOrder) {
            part.launch(on);
        }
    }

    @Override
    public void run(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        lookForNan(stream);
        requireSameLaunch();
        long start = System.nanoTime();
        long nanos = TimeUnit.NANOSECONDS.convert(timeout);
        for (PreparedCall part : inOrder) {
            part.run(Math.max(0, nanos - (System.nanoTime() - start)));
        }
    }

    @Override
    public boolean isCompleted() {
        for (PreparedCall part : inOrder) {
            if (!part.isCompleted()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Work lastLaunch() {
        List<Work> works = parts.stream().map(PreparedCall::lastLaunch).toList();
        return new ReductionsWork(
                works,
                timeout,
                works.isEmpty() ? lastShared.getAsLong() : works.getLast().sequence());
    }

    @Override
    public void join(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        long start = System.nanoTime();
        long nanos = TimeUnit.NANOSECONDS.convert(timeout);
        try {
            for (PreparedCall part : inOrder) {
                part.join(Math.max(0, nanos - (System.nanoTime() - start)));
            }
        } catch (MsccljException e) {
            if (inOrder[0].isAborted()) {
                JoinedParts.awaitEnds(parts, nanos - (System.nanoTime() - start), PreparedCall::join);
            }
            throw e;
        }
    }

    @Override
    public String algorithm() {
        return parts.isEmpty()
                ? "none"
                : parts.stream().map(PreparedCall::algorithm).distinct().collect(Collectors.joining(", "));
    }

    @Override
    public Stream defaultStream() {
        return stream;
    }

    @Override
    public void close() {
        Resources.close(parts);
    }
}
