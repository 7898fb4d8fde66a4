package org.mscclj.cli.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.mscclj.cli.CommandLineRun;

/** The README is short, the guide is complete, and all links are valid. */
class GuideTest {
    private static final int MAX_WORDS = 900;
    private static final int MAX_COLUMNS = 119;

    /** Words that hide the subject of a sentence. */
    private static final Pattern VAGUE = Pattern.compile(
            "\\b(who|whoever|whom|somebody|someone|is told|looked for|looks for|so many)\\b", Pattern.CASE_INSENSITIVE);

    @Test
    void theReadmeIsShort() {
        List<String> words = Stream.of(Page.readme().text().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
        assertTrue(words.size() <= MAX_WORDS, "the README has " + words.size() + " words; allowed: " + MAX_WORDS);
    }

    @Test
    void theReadmeLeadsToEachPageOfTheGuide() {
        assertEquals(List.of(), unlinked(Page.readme()));
    }

    @Test
    void theIndexLeadsToEachPageOfTheGuide() {
        assertEquals(List.of(), unlinked(Page.index()));
    }

    /** The pages of the guide to which a page has no link. */
    private static List<Page> unlinked(Page from) {
        Set<Path> linked = from.links().stream().map(from::target).collect(Collectors.toSet());
        List<Page> pages = Page.guide().stream()
                .filter(page -> !page.file().equals(Page.readme().file()))
                .toList();
        assertTrue(pages.size() > 8, pages::toString);
        return pages.stream()
                .filter(page -> !page.file().equals(from.file()) && !linked.contains(page.file()))
                .toList();
    }

    @Test
    void everyLinkHasATarget() {
        List<Page> pages = Page.all();
        assertTrue(pages.stream().mapToInt(page -> page.links().size()).sum() > 200, pages::toString);
        assertEquals(
                List.of(),
                pages.stream()
                        .flatMap(page -> page.links().stream()
                                .filter(link -> !leadsSomewhere(page, link))
                                .map(link -> page + ": " + link))
                        .toList());
    }

    /** Whether a file is there and, in a page, the heading. */
    private static boolean leadsSomewhere(Page page, String link) {
        Path target = page.target(link);
        if (!Files.exists(target)) {
            return false;
        }
        String[] parts = link.split("#", 2);
        return parts.length == 1 || Page.of(target).anchors().contains(parts[1]);
    }

    @Test
    void everyEnvironmentVariableIsOnItsPage() {
        Pattern name = Pattern.compile("\\bMSCCLJ_[A-Z_]+\\b");
        String table =
                Page.of(CommandLineRun.ROOT.resolve("docs/environment.md")).text();
        Set<String> known =
                name.matcher(table).results().map(match -> match.group()).collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>();
        for (Page page : Page.guide()) {
            name.matcher(page.text()).results().map(match -> match.group()).forEach(unknown::add);
        }
        assertTrue(unknown.size() > 15, unknown::toString);
        unknown.removeAll(known);
        assertEquals(Set.of(), unknown);
    }

    /** Tables cannot be wrapped. */
    @Test
    void linesOfProseAreShort() {
        for (Page page : Page.guide()) {
            assertEquals(
                    List.of(),
                    page.prose()
                            .lines()
                            .filter(line -> !line.startsWith("|") && line.length() > MAX_COLUMNS)
                            .toList(),
                    page::toString);
        }
    }

    @Test
    void sentencesNameTheirSubject() {
        for (Page page : Page.guide()) {
            assertEquals(
                    List.of(),
                    page.prose()
                            .lines()
                            .filter(line -> VAGUE.matcher(line).find())
                            .toList(),
                    page::toString);
        }
    }
}
