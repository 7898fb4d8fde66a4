package org.mscclj.conformance.report;

import java.io.IOException;
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
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

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
        return JsonWriter.document(JsonLayout.COMPACT, this::write);
    }

    private void write(JsonWriter json) {
        json.beginObject();
        json.field("subject", subject);
        json.field("java", Runtime.version().toString());
        json.beginArray("results");
        results.forEach(result -> write(json, result));
        json.end();
        json.beginArray("unexplained");
        for (Unexplained more : unexplained) {
            json.beginObject();
            json.field("mode", more.mode().label());
            json.field("what", more.what());
            json.field("reason", more.reason());
            json.end();
        }
        json.end();
        json.end();
    }

    private static void write(JsonWriter json, RuleResult result) {
        json.beginObject();
        json.field("rule", result.rule().id());
        json.field("number", result.rule().number());
        json.field("force", result.rule().force().label());
        json.field("statement", result.rule().statement());
        json.field("mode", result.mode().label());
        json.field("outcome", result.outcome().label());
        json.field("reason", result.reason());
        json.field("cases", result.cases());
        json.field("skipped", result.count(Outcome.SKIPPED));
        json.field("notJudged", result.count(Outcome.NOT_JUDGED));
        json.field("millis", result.took().toMillis());
        json.beginArray("notable");
        for (CaseResult notable : result.notable()) {
            json.beginObject();
            json.field("case", notable.test().line());
            json.field("outcome", notable.outcome().label());
            json.field("reason", notable.reason());
            json.end();
        }
        json.end();
        json.end();
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
