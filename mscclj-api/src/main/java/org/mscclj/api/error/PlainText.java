package org.mscclj.api.error;

import java.util.Locale;

/**
 * Text from files, environments and peers, made safe for messages, terminals and logs. Control characters, separators
 * of lines, characters that change the direction of text, and halves of surrogate pairs become {@code \}{@code uXXXX};
 * all other characters stay.
 *
 * <p>Messages of {@link MsccljException} are escaped as by {@link #lines}. Code that puts a name into a message calls
 * {@link #brief} or {@link #quote}, so that the name cannot look like a second message.
 */
public final class PlainText {
    private static final int LONGEST = 80;

    private PlainText() {}

    /** {@code text} on one line, in double quotes, escaped and cut after 80 characters. */
    public static String quote(String text) {
        return '"' + brief(text) + '"';
    }

    /** {@code text} on one line, escaped and cut after 80 characters. */
    public static String brief(String text) {
        if (text.length() <= LONGEST) {
            return escape(text);
        }
        int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return escape(text.substring(0, end)) + "…";
    }

    /** {@code text} on one line, escaped, of any length. */
    public static String escape(String text) {
        return escape(text, false);
    }

    /** {@code text} escaped, of any length; line feeds and tabs stay. */
    public static String lines(String text) {
        return escape(text, true);
    }

    private static String escape(String text, boolean keepsLines) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (keepsLines && (c == '\n' || c == '\t')) {
                out.append(c);
            } else if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
                int codePoint = Character.toCodePoint(c, text.charAt(++i));
                if (isInvisible(codePoint)) {
                    out.append(unicode(c)).append(unicode(text.charAt(i)));
                } else {
                    out.appendCodePoint(codePoint);
                }
            } else {
                out.append(isInvisible(c) ? unicode(c) : String.valueOf(c));
            }
        }
        return out.toString();
    }

    /**
     * Separators break lines in many terminals and log viewers, too, and format characters reorder the characters
     * around them.
     */
    private static boolean isInvisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static String unicode(char c) {
        return String.format(Locale.ROOT, "\\u%04x", (int) c);
    }
}
