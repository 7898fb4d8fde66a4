package org.mscclj.runtime.collective;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.mscclj.api.Work;
import org.mscclj.api.device.Stream;
import org.mscclj.runtime.time.Deadline;

/**
 * Launches that belong together.
 *
 * @param works each one's, in order
 * @param timeout what {@link #join()} waits
 * @param sequence the last one's number
 */
record ReductionsWork(List<Work> works, Duration timeout, long sequence) implements Work {
    @Override
    public boolean isCompleted() {
        return works.stream().allMatch(Work::isCompleted);
    }

    @Override
    public void await(Stream stream) {
        works.forEach(work -> work.await(stream));
    }

    @Override
    public void join() {
        join(timeout);
    }

    @Override
    public void join(Duration limit) {
        Deadline deadline = Deadline.after(limit);
        works.forEach(work -> work.join(Duration.ofNanos(deadline.left())));
    }

    @Override
    public String algorithm() {
        return works.isEmpty()
                ? "none"
                : works.stream().map(Work::algorithm).distinct().collect(Collectors.joining(", "));
    }
}
