package org.mscclj.conformance.scenario;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/** The line of a test case: pairs of name and value, separated by spaces. */
final class TestCaseLine {
    private TestCaseLine() {}

    static String of(TestCase test) {
        return "rule=" + test.rule() + " mode=" + test.mode() + " world=" + test.world() + " collective="
                + test.collective() + " type=" + test.type() + " op=" + test.op() + " count=" + test.count()
                + " offset=" + test.offset() + " in-place=" + test.inPlace() + " registered=" + test.registered()
                + " root=" + test.root() + " data=" + test.data() + " seed=" + test.seed()
                + test.program().map(name -> " algorithm=" + name).orElse("")
                + (test.graph() ? " graph=true" : "");
    }

    static TestCase parse(String line) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String pair : line.strip().split("\\s+", -1)) {
            int at = pair.indexOf('=');
            if (at < 1) {
                throw InvalidArgumentException.of(
                        "field of a test case", '"' + pair + '"', "name=value; a case begins with rule=");
            }
            fields.put(pair.substring(0, at), pair.substring(at + 1));
        }
        try {
            return new TestCase(
                    field(fields, "rule"),
                    Mode.parse(field(fields, "mode")),
                    Integer.parseInt(field(fields, "world")),
                    Collective.parse(field(fields, "collective")),
                    DataType.parse(field(fields, "type")),
                    ReduceOp.parse(field(fields, "op")),
                    Long.parseLong(field(fields, "count")),
                    Integer.parseInt(field(fields, "offset")),
                    Boolean.parseBoolean(field(fields, "in-place")),
                    Boolean.parseBoolean(field(fields, "registered")),
                    Integer.parseInt(field(fields, "root")),
                    DataShape.valueOf(field(fields, "data").toUpperCase(Locale.ROOT)),
                    Long.parseLong(field(fields, "seed")),
                    Optional.ofNullable(fields.get("algorithm")),
                    Boolean.parseBoolean(fields.get("graph")));
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException("test case \"" + line + "\" has a bad number: " + e.getMessage(), e);
        } catch (InvalidArgumentException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("test case \"" + line + "\": " + e.getMessage(), e);
        }
    }

    private static String field(Map<String, String> fields, String name) {
        return Optional.ofNullable(fields.get(name))
                .orElseThrow(() -> InvalidArgumentException.of(
                        "test case", fields, "one with a field \"" + name + "\", as a report prints it"));
    }
}
