package org.mscclj.runtime.collective;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;
import org.mscclj.api.error.DurationText;
import org.mscclj.api.error.MsccljException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.runtime.work.AbortableWork;

/**
 * The work of the launches of one variable-size reduce-scatter.
 *
 * @param works the work of each launch, in order
 * @param timeout the timeout of {@link #join()}
 * @param sequence the number of the last launch
 */
record ReductionsWork(List<Work> works, Duration timeout, long sequence) implements AbortableWork {
    @Override
    public boolean isCompleted() {
        return works.stream().allMatch(Work::isCompleted);
    }

    @Override
    public boolean isAborted() {
        return works.stream().anyMatch(work -> work instanceof AbortableWork abortable && abortable.isAborted());
    }

    @Override
    public boolean isInVain() {
        return works.stream()
                .anyMatch(work -> !work.isCompleted() && work instanceof AbortableWork part && part.isInVain());
    }

    /** Returns the exception of the first part that has not ended. */
    @Override
    public MsccljException late(Duration waited) {
        return works.stream()
                .filter(work -> !work.isCompleted())
                .filter(AbortableWork.class::isInstance)
                .map(AbortableWork.class::cast)
                .findFirst()
                .map(part -> part.late(waited))
                .orElseGet(() -> new OperationTimeoutException(
                        "reduceScatter of parts: it had not ended after " + DurationText.of(waited)
                                + ", and has ended meanwhile",
                        List.of()));
    }

    @Override
    public void await(Stream stream) {
        Objects.requireNonNull(stream, "stream");
        works.forEach(work -> work.await(stream));
    }

    @Override
    public void join() {
        join(timeout);
    }

    @Override
    public void join(Duration limit) {
        Objects.requireNonNull(limit, "timeout");
        Deadline deadline = Deadline.after(limit);
        try {
            for (Work work : works) {
                work.join(Duration.ofNanos(deadline.left()));
            }
        } catch (MsccljException e) {
            if (isAborted()) {
                JoinedParts.awaitEnds(works, deadline.left(), JoinedParts::join);
            }
            throw e;
        }
    }

    @Override
    public String algorithm() {
        return works.isEmpty()
                ? "none"
                : works.stream().map(Work::algorithm).distinct().collect(Collectors.joining(", "));
    }
}
