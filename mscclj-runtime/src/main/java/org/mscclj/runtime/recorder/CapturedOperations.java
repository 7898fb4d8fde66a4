package org.mscclj.runtime.recorder;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The operations of a communicator of which graphs may have launches. Nobody is told when other software replays such a
 * graph: who looks asks the engines whether anything is at work. Safe for use by several threads.
 */
final class CapturedOperations {
    /** How long each may take; 0 for as long as others. */
    private final ConcurrentMap<RecordedOperation, Long> mayTakeNanos = new ConcurrentHashMap<>();

    CapturedOperations() {}

    /** A launch of an operation was captured that may take so long; 0 for as long as others. */
    void add(RecordedOperation operation, long nanos) {
        long _ = mayTakeNanos.merge(operation, nanos, Math::max);
    }

    /** Whether there are any; forgets those that can be launched no more. */
    boolean areThere() {
        mayTakeNanos.keySet().removeIf(operation -> operation.plan().isEmpty());
        return !mayTakeNanos.isEmpty();
    }

    /**
     * The launches that are at work, whoever has made them. May call a driver, and so never return; throws what that
     * says.
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
