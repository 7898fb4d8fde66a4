package org.mscclj.plan.internal;

/** Text from files and callers, made safe to stand in a message of one line. */
public final class OneLine {
    private static final int LONGEST = 80;

    private OneLine() {}

    /** {@code text} in double quotes, escaped and shortened. */
    public static String quote(String text) {
        return '"' + escape(text, LONGEST) + '"';
    }

    /** {@code text} escaped and shortened. */
    public static String brief(String text) {
        return escape(text, LONGEST);
    }

    /** {@code text} escaped, however long. */
    public static String escape(String text) {
        return escape(text, text.length());
    }

    private static String escape(String text, int longest) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (i == longest) {
                return out.append("…").toString();
            }
            char c = text.charAt(i);
            // Line and paragraph separators break lines in many terminals and log viewers, too.
            if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
