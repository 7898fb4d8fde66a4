package org.mscclj.runtime.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class JsonWriterTest {
    @Test
    void valuesAreSeparatedAndEscaped() {
        JsonWriter json = new JsonWriter();
        json.begin('[')
                .begin('{')
                .field("a", "\"\\\n")
                .field("b", 1)
                .name("c")
                .begin('[')
                .end(']')
                .field("d", true)
                .end('}')
                .begin('{')
                .end('}')
                .end(']');
        assertEquals("[{\"a\":\"\\\"\\\\\\u000a\",\n\"b\":1,\n\"c\":[],\n\"d\":true},\n{}]", json.toString());
    }
}
