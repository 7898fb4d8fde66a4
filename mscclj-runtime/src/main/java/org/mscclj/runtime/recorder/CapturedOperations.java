package org.mscclj.runtime.recorder;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The operations of a communicator of which graphs may have launches. The runtime is not notified when other software
 * replays such a graph: a check asks the engines whether a launch is at work. Safe for use by several threads.
 */
final class CapturedOperations {
    /** Time that each launch may take, in nanoseconds; 0 for the time of other launches. */
    private final ConcurrentMap<RecordedOperation, Long> mayTakeNanos = new ConcurrentHashMap<>();

    CapturedOperations() {}

    /**
     * Adds an operation of which a launch was captured. The launch may take this many nanoseconds; 0 for the time of
     * other launches.
     */
    void add(RecordedOperation operation, long nanos) {
        long _ = mayTakeNanos.merge(operation, nanos, Math::max);
    }

    /** Returns whether there are any operations. Forgets operations that cannot be launched any more. */
    boolean areThere() {
        mayTakeNanos.keySet().removeIf(operation -> operation.plan().isEmpty());
        return !mayTakeNanos.isEmpty();
    }

    /**
     * Returns the launches that are at work, whichever software has made them. May call a driver, and so never return;
     * throws errors of the driver.
     */
    List<ForeignLaunch> atWork() {
        Map<Object, List<RecordedOperation>> byPlan = new LinkedHashMap<>();
        for (RecordedOperation operation : mayTakeNanos.keySet()) {
            operation
                    .plan()
                    .ifPresent(plan ->
                            byPlan.computeIfAbsent(plan, _ -> new ArrayList<>()).add(operation));
        }
        return byPlan.entrySet().stream()
                .flatMap(plan -> atWork(plan.getKey(), plan.getValue()).stream())
                .toList();
    }

    private Optional<ForeignLaunch> atWork(Object plan, List<RecordedOperation> operations) {
        long number = operations.getFirst().ofAnybodyAtWork();
        return number == 0
                ? Optional.empty()
                : Optional.of(new ForeignLaunch(
                        plan,
                        number,
                        operations,
                        operations.stream()
                                .mapToLong(operation -> mayTakeNanos.getOrDefault(operation, 0L))
                                .max()
                                .orElse(0)));
    }
}
