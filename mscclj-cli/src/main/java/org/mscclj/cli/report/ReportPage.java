package org.mscclj.cli.report;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.mscclj.analysis.html.Markup;
import org.mscclj.analysis.html.Template;

/** The self-contained HTML file of a report: a title, facts, and content of which this class has the style. */
public final class ReportPage {
    private static final String TEMPLATE = "report.html";

    private ReportPage() {}

    /**
     * Returns the file.
     *
     * @param title the title, as text
     * @param facts what was measured, as texts
     * @param content markup
     */
    public static String of(String title, List<String> facts, String content) {
        StringBuilder list = new StringBuilder();
        facts.forEach(fact -> list.append("<li>").append(Markup.escaped(fact)).append("</li>\n"));
        return new Template(Template.text(
                        TEMPLATE, Objects.requireNonNull(ReportPage.class.getResourceAsStream(TEMPLATE), TEMPLATE)))
                .filled(Map.of("title", Markup.escaped(title), "facts", list.toString(), "content", content));
    }
}
