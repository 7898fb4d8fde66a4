package org.mscclj.spi.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TraceLinesTest {
    @Test
    void linesAreEventsOfChrome() {
        String process = """
                {"name":"process_name","ph":"M","pid":3,"args":{"name":"rank 3"}}""";
        String thread = """
                {"name":"thread_name","ph":"M","pid":3,"tid":2,"args":{"name":"block 2"}}""";
        String event = """
                {"name":"put \\"a\\"","cat":"plan","ph":"X","pid":3,"tid":2,"ts":0.042,"dur":12345.678,\
                "args":{"plan":"p\\\\q","launch":7,"bytes":64}}""";
        assertEquals(process, TraceLines.processName(3));
        assertEquals(thread, TraceLines.threadName(3, 2));
        assertEquals(event, TraceLines.event("put \"a\"", "p\\q", 3, 2, 7, 42, 12_345_720, 64));
    }
}
