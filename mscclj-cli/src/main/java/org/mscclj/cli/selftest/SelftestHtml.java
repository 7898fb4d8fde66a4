package org.mscclj.cli.selftest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.mscclj.analysis.html.Markup;
import org.mscclj.analysis.html.Template;
import org.mscclj.api.error.FileProblem;

/** Writes a self-test as one self-contained HTML file: the table, the ends of all logs, and the JSON. */
final class SelftestHtml {
    private static final String TEMPLATE = "selftest.html";
    private static final int LOG_BYTES = 64 << 10;

    private SelftestHtml() {}

    static String of(SelftestResults results) {
        StringBuilder rows = new StringBuilder();
        StringBuilder logs = new StringBuilder();
        for (PartResult result : results.parts()) {
            row(rows, result);
            log(logs, result);
        }
        Map<String, String> parts = Map.of(
                "sum", Markup.escaped(results.sum()),
                "machine", Markup.escaped(results.machine()),
                "rows", rows.toString(),
                "logs", logs.toString(),
                "json", Markup.escapedJson(SelftestJson.of(results)));
        return new Template(Template.text(
                        TEMPLATE, Objects.requireNonNull(SelftestHtml.class.getResourceAsStream(TEMPLATE), TEMPLATE)))
                .filled(parts);
    }

    private static void row(StringBuilder rows, PartResult result) {
        SelftestPart part = result.part();
        rows.append("<tr class=\"").append(result.isRight() ? "right" : "wrong").append("\">");
        rows.append("<td><a href=\"#").append(part.fileName()).append("\">");
        rows.append(Markup.escaped(part.title())).append("</a></td>");
        List.of(part.ranksLabel(), part.whereLabel(), result.outcome().label(), result.seconds(), result.summary())
                .forEach(
                        cell -> rows.append("<td>").append(Markup.escaped(cell)).append("</td>"));
        rows.append("</tr>\n");
    }

    private static void log(StringBuilder logs, PartResult result) {
        logs.append("<details id=\"").append(result.part().fileName()).append('"');
        logs.append(result.isRight() ? "" : " open=\"open\"").append("><summary>mscclj ");
        logs.append(Markup.escaped(String.join(" ", result.part().arguments()))).append("</summary>\n<pre>");
        logs.append(Markup.escaped(end(result.log()))).append("</pre></details>\n");
    }

    private static String end(Path log) {
        if (!Files.exists(log)) {
            return "";
        }
        try {
            byte[] bytes = Files.readAllBytes(log);
            int from = Math.max(0, bytes.length - LOG_BYTES);
            String text = new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
            return (from > 0 ? "… all of it is in " + log.getFileName() + "\n" : "")
                    // Characters that XML does not allow.
                    + text.replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", "?");
        } catch (IOException e) {
            return log + " cannot be read: " + FileProblem.of(e);
        }
    }
}
