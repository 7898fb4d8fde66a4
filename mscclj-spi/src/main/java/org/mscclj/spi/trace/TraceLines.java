package org.mscclj.spi.trace;

import java.math.BigDecimal;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/** The events of a trace, in the JSON that Chrome and Perfetto read. */
final class TraceLines {
    static final String HEAD = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    static final String TAIL = "]}";

    /** The digits of a time in microseconds after the point. */
    private static final int NANO_DIGITS = 3;

    private TraceLines() {}

    static String processName(int rank) {
        return begin("process_name")
                .field("ph", "M")
                .field("pid", rank)
                .beginObject("args")
                .field("name", "rank " + rank)
                .end()
                .end()
                .toString();
    }

    static String threadName(int rank, int block) {
        return begin("thread_name")
                .field("ph", "M")
                .field("pid", rank)
                .field("tid", block)
                .beginObject("args")
                .field("name", "block " + block)
                .end()
                .end()
                .toString();
    }

    static String event(
            String operation, String plan, int rank, int block, long launch, long start, long end, long bytes) {
        return begin(operation)
                .field("cat", "plan")
                .field("ph", "X")
                .field("pid", rank)
                .field("tid", block)
                .field("ts", micros(start))
                .field("dur", micros(end - start))
                .beginObject("args")
                .field("plan", PlainText.brief(plan))
                .field("launch", launch)
                .field("bytes", bytes)
                .end()
                .end()
                .toString();
    }

    private static JsonWriter begin(String name) {
        return new JsonWriter(JsonLayout.COMPACT).beginObject().field("name", name);
    }

    private static BigDecimal micros(long nanos) {
        return BigDecimal.valueOf(nanos, NANO_DIGITS);
    }
}
