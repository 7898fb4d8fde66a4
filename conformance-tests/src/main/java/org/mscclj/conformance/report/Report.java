package org.mscclj.conformance.report;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.conformance.suite.CaseResult;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.suite.Unexplained;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Collects the results of one implementation and writes them. Safe for use by several threads. */
public final class Report {
    private final String subject;
    private final List<RuleResult> results = new ArrayList<>();
    private final List<Unexplained> unexplained = new ArrayList<>();

    /**
     * Creates an empty report.
     *
     * @param subject what is checked, for example {@code host}
     */
    public Report(String subject) {
        this.subject = subject;
    }

    /** Adds a result. */
    public synchronized void add(RuleResult result) {
        results.add(result);
    }

    /** Adds a problem that no rule has reported. */
    public synchronized void add(Unexplained more) {
        unexplained.add(more);
    }

    /** Returns the results as JSON. */
    public synchronized String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeStringProperty("subject", subject);
            json.writeStringProperty("java", Runtime.version().toString());
            json.writeArrayPropertyStart("results");
            for (RuleResult result : results) {
                json.writeStartObject();
                json.writeStringProperty("rule", result.rule().id());
                json.writeStringProperty("number", result.rule().number());
                json.writeStringProperty("force", result.rule().force().label());
                json.writeStringProperty("statement", result.rule().statement());
                json.writeStringProperty("mode", result.mode().label());
                json.writeStringProperty("outcome", result.outcome().label());
                json.writeStringProperty("reason", result.reason());
                json.writeNumberProperty("cases", result.cases());
                json.writeNumberProperty("skipped", result.count(Outcome.SKIPPED));
                json.writeNumberProperty("notJudged", result.count(Outcome.NOT_JUDGED));
                json.writeNumberProperty("millis", result.took().toMillis());
                json.writeArrayPropertyStart("notable");
                for (CaseResult notable : result.notable()) {
                    json.writeStartObject();
                    json.writeStringProperty("case", notable.test().line());
                    json.writeStringProperty("outcome", notable.outcome().label());
                    json.writeStringProperty("reason", notable.reason());
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayPropertyStart("unexplained");
            for (Unexplained more : unexplained) {
                json.writeStartObject();
                json.writeStringProperty("mode", more.mode().label());
                json.writeStringProperty("what", more.what());
                json.writeStringProperty("reason", more.reason());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.append('\n').toString();
    }

    /** Returns the results as a page that contains its data and needs no other file. */
    public String html() {
        // "</" would end the script that holds the data.
        return Page.TEMPLATE.replace(Page.DATA, json().replace("</", "<\\/"));
    }

    /**
     * Writes {@code conformance-SUBJECT.json} and {@code .html}.
     *
     * @param folder created if it does not exist
     * @throws InvalidArgumentException if the folder cannot be written to
     */
    public void write(Path folder) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve("conformance-" + subject + ".json"), json());
            Files.writeString(folder.resolve("conformance-" + subject + ".html"), html());
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    "the report cannot be written to " + folder + ": " + FileProblem.of(e)
                            + "; name a folder that can be written to",
                    e);
        }
    }
}
