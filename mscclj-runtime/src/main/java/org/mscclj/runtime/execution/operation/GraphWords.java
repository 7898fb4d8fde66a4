package org.mscclj.runtime.execution.operation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.mscclj.api.hook.OperationDescription;
import org.mscclj.runtime.recorder.RecordedOperation;

/**
 * Describes the launches of a graph as one operation. The string is equal on all ranks whose graphs have equal launches
 * in an equal order: it names the first of them, and a digest stands for all.
 *
 * @param operations the launches in the order of the capture
 */
record GraphWords(List<RecordedOperation> operations) {
    /** An odd number without a pattern in its bits. */
    private static final long MIXING = 0x9E3779B97F4A7C15L;

    private static final int MAX_REPORTED = 4;

    /** Copies the list. */
    GraphWords {
        operations = List.copyOf(operations);
    }

    /** Returns the description for dumps. */
    OperationDescription description() {
        return new OperationDescription(
                "graph",
                "",
                "",
                -1,
                operations.stream()
                        .mapToLong(operation -> operation.description().bytes())
                        .sum(),
                false,
                operations.stream()
                        .map(operation -> operation.description().algorithm())
                        .distinct()
                        .limit(MAX_REPORTED)
                        .collect(Collectors.joining(", ")));
    }

    /** Returns a fingerprint of all operations, in their order. */
    long fingerprint() {
        long all = operations.size();
        for (RecordedOperation operation : operations) {
            all = all * MIXING + operation.fingerprint();
        }
        return all;
    }

    /**
     * Returns, for example, "a graph of 3 launches (2 × allreduce of 1 MiB float16, sum, by ring; barrier, by flags),
     * digest 9a31c05e".
     */
    @Override
    public String toString() {
        List<String> all = operations.stream().map(RecordedOperation::describe).toList();
        Map<String, Integer> times = new LinkedHashMap<>();
        all.forEach(words -> times.merge(words, 1, Integer::sum));
        String told = times.entrySet().stream()
                .limit(MAX_REPORTED)
                .map(entry -> (entry.getValue() == 1 ? "" : entry.getValue() + " × ") + entry.getKey())
                .collect(Collectors.joining("; "));
        return "a graph of " + all.size() + " launches (" + told
                + (times.size() > MAX_REPORTED ? "; and others" : "") + "), digest "
                + String.format(Locale.ROOT, "%08x", all.hashCode());
    }
}
