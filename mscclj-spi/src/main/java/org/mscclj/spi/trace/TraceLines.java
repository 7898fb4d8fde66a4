package org.mscclj.spi.trace;

import java.util.Locale;
import org.mscclj.api.error.PlainText;

/** The events of a trace, in the JSON that Chrome and Perfetto read. */
final class TraceLines {
    static final String HEAD = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    static final String TAIL = "]}";

    private TraceLines() {}

    static String processName(int rank) {
        return "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":" + rank + ",\"args\":{\"name\":\"rank " + rank
                + "\"}}";
    }

    static String threadName(int rank, int block) {
        return "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":" + rank + ",\"tid\":" + block
                + ",\"args\":{\"name\":\"block " + block + "\"}}";
    }

    static String event(
            String operation, String plan, int rank, int block, long launch, long start, long end, long bytes) {
        return "{\"name\":\"" + escaped(operation) + "\",\"cat\":\"plan\",\"ph\":\"X\",\"pid\":" + rank + ",\"tid\":"
                + block + ",\"ts\":" + micros(start) + ",\"dur\":" + micros(end - start) + ",\"args\":{\"plan\":\""
                + escaped(PlainText.brief(plan)) + "\",\"launch\":" + launch + ",\"bytes\":" + bytes + "}}";
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%d.%03d", nanos / 1000, nanos % 1000);
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < ' ') {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
