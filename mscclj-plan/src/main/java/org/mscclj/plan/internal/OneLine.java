package org.mscclj.plan.internal;

import java.util.Locale;

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

    /** Separators break lines in many terminals and log viewers, too, and format characters reorder what stands around them. */
    private static boolean isInvisible(char c) {
        int type = Character.getType(c);
        return type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR || type == Character.FORMAT;
    }

    private static String escape(String text, int longest) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (i == longest) {
                return out.append("…").toString();
            }
            char c = text.charAt(i);
            if (Character.isISOControl(c) || Character.isSurrogate(c) || isInvisible(c)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
