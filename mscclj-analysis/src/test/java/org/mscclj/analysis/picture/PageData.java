package org.mscclj.analysis.picture;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.mscclj.analysis.simulate.timeline.Dependency;
import org.mscclj.analysis.simulate.timeline.Span;
import org.mscclj.plan.OperationAddress;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The data that a page's script reads, decoded in the same way. */
final class PageData {
    /** An operation in the page. */
    record Drawn(String lane, String text, Span span) {}

    private final Map<String, List<String>> columns = new HashMap<>();
    private final List<String> lanes = new ArrayList<>();
    private final List<Integer> ranks = new ArrayList<>();
    final List<Drawn> drawn = new ArrayList<>();
    final List<Dependency> dependencies = new ArrayList<>();

    PageData(String json) {
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (name.equals("ranks")) {
                    ranks(parser);
                } else if (value == JsonToken.START_ARRAY) {
                    columns.put(name, strings(parser));
                }
            }
        }
        spans();
        long to = 0;
        for (int i = 0; i < column("from").size(); i++) {
            to += number("to", i);
            dependencies.add(new Dependency(
                    (int) (to + number("from", i)), (int) to, Dependency.Kind.values()[(int) number("kind", i)]));
        }
    }

    /** Of a column that is a list of strings or numbers. */
    List<String> column(String name) {
        return columns.getOrDefault(name, List.of());
    }

    private static List<String> strings(JsonParser parser) {
        List<String> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(parser.getString());
        }
        return values;
    }

    private void ranks(JsonParser parser) {
        for (int rank = 0; parser.nextToken() == JsonToken.START_OBJECT; rank++) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                if (parser.nextToken() == JsonToken.START_ARRAY) {
                    for (String proxy : strings(parser)) {
                        lanes.add(proxy);
                        ranks.add(rank);
                    }
                } else {
                    for (int block = 0; block < parser.getIntValue(); block++) {
                        lanes.add("block " + block);
                        ranks.add(rank);
                    }
                }
            }
        }
    }

    private long number(String column, int i) {
        return column(column).isEmpty() ? 0 : Long.parseLong(column(column).get(i));
    }

    private void spans() {
        int i = 0;
        for (int lane = 0; lane < lanes.size(); lane++) {
            long time = 0;
            int position = 0;
            int iteration = 0;
            boolean proxy = !lanes.get(lane).startsWith("block ");
            for (long left = number("count", lane); left > 0; left--, i++) {
                position += (int) number("position", i);
                iteration += (int) number("iteration", i);
                int inner = (int) number("inner", i);
                long start = time + number("start", i);
                long ready = start + number("wait", i);
                time = ready + number("time", i);
                OperationAddress address = new OperationAddress(
                        ranks.get(lane),
                        proxy ? -1 : Integer.parseInt(lanes.get(lane).substring("block ".length())),
                        position,
                        inner == 0 ? OptionalInt.empty() : OptionalInt.of(inner - 1));
                drawn.add(new Drawn(
                        lanes.get(lane),
                        column("texts").get((int) number("text", i)),
                        new Span(
                                address,
                                iteration,
                                proxy,
                                start / 10.0,
                                ready / 10.0,
                                time / 10.0,
                                number("bytes", i))));
            }
        }
    }
}
