package org.mscclj.cli.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.CommandLineRun;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** {@code mscclj plan show --html} draws a simulated launch. */
class ShowHtmlTest {
    private static final String RING = CommandLineRun.example("allreduce_ring_4ranks");

    @TempDir
    private Path folder;

    private static CommandLineRun show(String plan, String... options) {
        List<String> line = new ArrayList<>(List.of("plan", "show", plan));
        line.addAll(List.of(options));
        return CommandLineRun.of(line.toArray(String[]::new));
    }

    private static Document parsed(String html) throws ParserConfigurationException, IOException, SAXException {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(html.replaceFirst("<!DOCTYPE html>\n", ""))));
    }

    @Test
    void writesAPageAndPrintsTheTime() throws IOException, ParserConfigurationException, SAXException {
        Path page = folder.resolve("out.html");
        CommandLineRun run = show(RING, "--html", page.toString(), "--size", "64K", "--topology", "h200x4");
        assertEquals(0, run.code(), run.err());
        assertTrue(
                run.out().matches("\\Q" + page + "\\E: 65536 bytes, simulated on h200x4: \\d+\\.\\d\\d us\\R"),
                run.out());
        Document document = parsed(Files.readString(page));
        assertEquals(
                "allreduce_ring_4ranks",
                document.getElementsByTagName("h1").item(0).getTextContent());
        String facts = document.getElementsByTagName("ul").item(0).getTextContent();
        assertTrue(facts.contains("message of 65,536 bytes") && facts.contains("simulated on h200x4"), facts);
    }

    @Test
    void aPageIsWellFormedForEveryPlanName() throws IOException, ParserConfigurationException, SAXException {
        Path plan = folder.resolve("plan.json");
        String name = "</title><script>alert(1)</script>&\\\"']]>";
        Files.writeString(plan, Files.readString(Path.of(RING)).replace("\"allreduce_ring_4ranks\"", '"' + name + '"'));
        CommandLineRun run = show(plan.toString(), "--html", "-");
        assertEquals(0, run.code(), run.err());
        Document document = parsed(run.out());
        assertEquals(
                "</title><script>alert(1)</script>&\"']]>",
                document.getElementsByTagName("title").item(0).getTextContent());
        assertEquals(2, document.getElementsByTagName("script").getLength());
    }

    @Test
    void manyRanksGetEnoughNodes() {
        CommandLineRun run = show(RING, "--html", "-", "--ranks-per-node", "2");
        // The plan maps the memory of all ranks, so that two nodes are refused.
        assertEquals(1, run.code(), run.out());
        assertTrue(run.err().contains("in topology h200x8-nodes:2 they are on nodes 0 and 1"), run.err());
        assertEquals(1, run.errors().size(), run.err());
    }

    @Test
    void impossiblePicturesAreBadUsage() {
        for (List<String> wrong : List.of(
                List.of("--size", "1K"),
                List.of("--topology", "h200x8"),
                List.of("--html", "-", "--size", "many"),
                List.of("--html", "-", "--topology", "nosuch"),
                List.of("--html", "-", "--topology", "h200x4", "--ranks-per-node", "2"))) {
            CommandLineRun run = show(RING, wrong.toArray(String[]::new));
            assertEquals(2, run.code(), wrong + run.err());
            assertEquals(1, run.errors().size(), run.err());
        }
    }
}
