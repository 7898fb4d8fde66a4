package org.mscclj.objects;

import java.util.Arrays;

/** The collectives of objects. */
enum ObjectOperation {
    BROADCAST(0, "broadcast"),
    GATHER(1, "gather"),
    ALL_GATHER(2, "allGather"),
    SCATTER(3, "scatter");

    private final long number;
    private final String method;

    ObjectOperation(long number, String method) {
        this.number = number;
        this.method = method;
    }

    /** The number of the operation in announcements. */
    long number() {
        return number;
    }

    /** The name of the operation with a number. */
    static String name(long number) {
        return Arrays.stream(values())
                .filter(operation -> operation.number == number)
                .findFirst()
                .map(ObjectOperation::toString)
                .orElse("something else");
    }

    @Override
    public String toString() {
        return method + " of objects";
    }
}
