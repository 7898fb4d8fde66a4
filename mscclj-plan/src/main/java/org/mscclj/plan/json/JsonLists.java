package org.mscclj.plan.json;

import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Arrays of simple values. */
final class JsonLists {
    private JsonLists() {}

    static void integers(JsonGenerator out, String key, List<Integer> values) {
        out.writeArrayPropertyStart(key);
        for (int value : values) {
            out.writeNumber(value);
        }
        out.writeEndArray();
    }
}
