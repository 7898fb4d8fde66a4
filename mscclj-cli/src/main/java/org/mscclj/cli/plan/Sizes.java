package org.mscclj.cli.plan;

import org.mscclj.plan.program.ChosenProgram;

/** Ranges of message sizes, in words. */
final class Sizes {
    private Sizes() {}

    /** A range, inclusive and unsigned. */
    static String text(long least, long most) {
        if (!isLimited(most)) {
            return least == 0 ? "any size" : Long.toUnsignedString(least) + " bytes and more";
        }
        return least == 0
                ? "up to " + Long.toUnsignedString(most) + " bytes"
                : Long.toUnsignedString(least) + " to " + Long.toUnsignedString(most) + " bytes";
    }

    /** Whether there is a greatest size: plans write none as −1. */
    static boolean isLimited(long most) {
        return most != -1 && most != ChosenProgram.NO_LIMIT;
    }
}
