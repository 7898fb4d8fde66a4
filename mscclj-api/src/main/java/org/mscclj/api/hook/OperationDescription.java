package org.mscclj.api.hook;

import java.util.Objects;

/**
 * What an operation is, in words that are equal on all ranks that make the same call. Operations of windows, which one
 * rank makes, are {@code put}, {@code get}, {@code signal} and {@code wait_signal}; those of messages alone are
 * {@code messages}.
 *
 * @param operation what is called, for example {@code allreduce}
 * @param type the data type; empty if there is none
 * @param reduction the reduce operation; empty if nothing is reduced
 * @param root the root; −1 if there is none
 * @param bytes size of the message, in bytes: of the output for allgather, of the input otherwise; of messages, and of
 *     collectives that consist of them, what this rank moves
 * @param inPlace whether input and output share memory
 * @param places where the buffers lie, in words; empty if ranks may have them anywhere, as in plain memory; of
 *     operations of windows, the other rank and the offset in its memory
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

    /** An operation whose buffers may lie anywhere. */
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

    /** An exact size, in the largest unit that it is a multiple of. */
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
