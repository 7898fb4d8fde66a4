package org.mscclj.plan.text;

/** Ranges of message sizes as text. */
public final class MessageSizeRange {
    private MessageSizeRange() {}

    /** A range in bytes, inclusive and unsigned: {@code any size} if it has no limits. */
    public static String text(long least, long most) {
        if (!isLimited(most)) {
            return least == 0 ? "any size" : Long.toUnsignedString(least) + " bytes and more";
        }
        return least == 0
                ? "up to " + Long.toUnsignedString(most) + " bytes"
                : Long.toUnsignedString(least) + " to " + Long.toUnsignedString(most) + " bytes";
    }

    /**
     * Whether the range has an upper limit. Plans write none as the greatest unsigned number, programs as the greatest
     * signed one.
     */
    public static boolean isLimited(long most) {
        return most != -1 && most != Long.MAX_VALUE;
    }
}
