package org.mscclj.conformance.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.conformance.rule.Rules;
import org.mscclj.conformance.scenario.Mode;
import org.mscclj.conformance.suite.Outcome;
import org.mscclj.conformance.suite.RuleResult;
import org.mscclj.conformance.suite.Unexplained;

class ReportTest {
    @Test
    void bothFilesHoldTheResults(@TempDir Path folder) throws IOException {
        Report report = new Report("mine");
        report.add(new RuleResult(
                Rules.find("spec0101_everyCount"),
                Mode.PROCESSES,
                Outcome.FAILED,
                "</script><b>\"bad\"",
                3,
                List.of(),
                Duration.ofMillis(5)));
        report.add(new Unexplained(Mode.NODES, "closing a group", "a thread is left"));
        report.write(folder.resolve("new"));
        String json = Files.readString(folder.resolve("new/conformance-mine.json"));
        assertTrue(json.contains("\"rule\":\"spec0101_everyCount\""), json);
        assertTrue(json.contains("\"mode\":\"processes\""), json);
        assertTrue(json.contains("\"skipped\":0"), json);
        assertTrue(json.contains("\"unexplained\":[{\"mode\":\"nodes\",\"what\":\"closing a group\""), json);
        String html = Files.readString(folder.resolve("new/conformance-mine.html"));
        assertTrue(html.contains("spec0101_everyCount"));
        assertFalse(html.contains("@DATA@"));
        assertFalse(html.contains("</script><b>"), "a reason must not end the script that holds the data");
        assertFalse(html.contains("src=") || html.contains("href="), "the page needs nothing else");
        assertEquals(2, html.split("<script", -1).length - 1);
    }
}
