package org.mscclj.runtime.dump;

import java.util.Locale;

/** Writes JSON. The caller determines the order; the writer sets commas. */
final class JsonWriter {
    private final StringBuilder text = new StringBuilder();
    private boolean first = true;

    JsonWriter begin(char bracket) {
        comma();
        text.append(bracket);
        first = true;
        return this;
    }

    JsonWriter end(char bracket) {
        text.append(bracket);
        first = false;
        return this;
    }

    JsonWriter name(String name) {
        comma();
        quoted(name);
        text.append(':');
        first = true;
        return this;
    }

    JsonWriter field(String name, String value) {
        name(name).quoted(value);
        first = false;
        return this;
    }

    JsonWriter field(String name, Iterable<Integer> values) {
        name(name).begin('[');
        for (int value : values) {
            comma();
            text.append(value);
        }
        return end(']');
    }

    JsonWriter field(String name, long value) {
        name(name).text.append(value);
        first = false;
        return this;
    }

    JsonWriter field(String name, boolean value) {
        name(name).text.append(value);
        first = false;
        return this;
    }

    private void comma() {
        if (!first) {
            text.append(",\n");
        }
        first = false;
    }

    private void quoted(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
