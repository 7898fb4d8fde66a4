package org.mscclj.plan.document;

import java.util.HexFormat;

/** The white space and the escapes of written JSON. */
public enum JsonLayout {
    /** No white space. */
    COMPACT(":", ",", "", Escapes.SHORT),

    /** A line break after each comma, and no other white space. */
    LINES(":", ",\n", "", Escapes.NUMBERED),

    /** Two spaces for each level, and a line for each element and each field. */
    INDENTED(": ", ", ", "", Escapes.SHORT),

    /** Two spaces for each level of objects, and a line for each field; the elements of an array share a line. */
    REPORT(" : ", ", ", " ", Escapes.SHORT);

    /** The escapes of control characters. */
    private enum Escapes {
        /** A letter where JSON has one, else a number. */
        SHORT,
        /** The number of the character. */
        NUMBERED
    }

    private static final String ESCAPED = "\b\t\n\f\r";
    private static final String LETTERS = "btnfr";

    private final String colon;
    private final String comma;
    private final String padding;
    private final Escapes escapes;

    JsonLayout(String colon, String comma, String padding, Escapes escapes) {
        this.colon = colon;
        this.comma = comma;
        this.padding = padding;
        this.escapes = escapes;
    }

    /** Returns the text between a name and its value. */
    String colon() {
        return colon;
    }

    /** Returns the text between two entries that have no lines of their own. */
    String comma() {
        return comma;
    }

    /** Returns the text inside the brackets of an empty container, and of one whose entries have no lines. */
    String padding() {
        return padding;
    }

    /** Whether each field of an object has its own line. */
    boolean fieldsHaveLines() {
        return this == INDENTED || this == REPORT;
    }

    /** Whether each element of an array has its own line. */
    boolean elementsHaveLines() {
        return this == INDENTED;
    }

    /** Appends a string in quotes. */
    void quote(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                escape(c, text);
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    private void escape(char c, StringBuilder text) {
        int letter = ESCAPED.indexOf(c);
        if (escapes == Escapes.NUMBERED) {
            text.append("\\u").append(HexFormat.of().toHexDigits(c));
        } else if (letter >= 0) {
            text.append('\\').append(LETTERS.charAt(letter));
        } else {
            text.append("\\u").append(HexFormat.of().withUpperCase().toHexDigits(c));
        }
    }
}
