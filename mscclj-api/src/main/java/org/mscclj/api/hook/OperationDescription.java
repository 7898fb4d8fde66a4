package org.mscclj.api.hook;

import java.util.Objects;

/**
 * The description of an operation, which is equal on all ranks that make equal calls. Operations of windows, which one
 * rank makes, are {@code put}, {@code get}, {@code signal} and {@code wait_signal}; batches of sends and receives are
 * {@code messages}.
 *
 * @param operation the name of the operation, for example {@code allreduce}
 * @param type the data type; empty if there is none
 * @param reduction the reduce operation; empty if nothing is reduced
 * @param root the root; −1 if there is none
 * @param bytes size of the call, in bytes: the size of the output for allgather, of the input otherwise; for
 *     point-to-point calls, and for collectives that consist of sends and receives, the bytes that this rank moves
 * @param inPlace whether input and output share memory
 * @param places a description of the locations of the buffers; empty if they may differ between ranks, as for plain
 *     memory; for operations of windows, the other rank and the offset in its memory
 * @param algorithm the plan or algorithm that runs
 */
public record OperationDescription(
        String operation,
        String type,
        String reduction,
        int root,
        long bytes,
        boolean inPlace,
        String places,
        String algorithm) {
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

    /** Checks that nothing is null. */
    public OperationDescription {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(reduction, "reduction");
        Objects.requireNonNull(places, "places");
        Objects.requireNonNull(algorithm, "algorithm");
    }

    /** An operation whose buffers may lie in any memory. */
    public OperationDescription(
            String operation, String type, String reduction, int root, long bytes, boolean inPlace, String algorithm) {
        this(operation, type, reduction, root, bytes, inPlace, "", algorithm);
    }

    /** For example {@code allreduce of 1 MiB float16, sum, in place, by ring, in allocation 3 at offset 0}. */
    @Override
    public String toString() {
        StringBuilder words = new StringBuilder(operation);
        if (bytes > 0 || !type.isEmpty()) { // a barrier has neither
            words.append(" of ").append(size(bytes));
        }
        if (!type.isEmpty()) {
            words.append(' ').append(type);
        }
        if (!reduction.isEmpty()) {
            words.append(", ").append(reduction);
        }
        if (root >= 0) {
            words.append(", root ").append(root);
        }
        return words.append(inPlace ? ", in place" : "")
                .append(", by ")
                .append(algorithm)
                .append(places.isEmpty() ? "" : ", ")
                .append(places)
                .toString();
    }

    /** An exact size, in the largest unit of which it is a multiple. */
    private static String size(long bytes) {
        int unit = 0;
        long count = bytes;
        while (count != 0 && count % 1024 == 0 && unit < UNITS.length - 1) {
            count /= 1024;
            unit++;
        }
        return count + " " + UNITS[unit];
    }
}
