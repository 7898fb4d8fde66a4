package org.mscclj.cli.prose;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.mscclj.cli.guide.Page;

/**
 * No comment, message or page uses a vague word, and all lines of prose are short. Folders that are not rewritten yet
 * have a backlog, which only shrinks; a folder that is not listed has no findings.
 */
class ProseTest {
    /** The longest line that the formatter leaves in a Java file. */
    private static final int MAX_COMMENT_COLUMNS = 120;

    private static final int MAX_PAGE_COLUMNS = 119;

    /** Vague words in main code. */
    private static final List<Backlog> WORDS_IN_CODE = List.of();

    /** Long lines in comments. */
    private static final List<Backlog> LONG_LINES = List.of();

    @Test
    void mainCodeUsesNoVagueWords(TestReporter reporter) {
        Map<String, List<String>> findings = new TreeMap<>();
        SourceFile.all().stream()
                .filter(SourceFile::isMain)
                .forEach(file -> findings.computeIfAbsent(file.module(), module -> new ArrayList<>())
                        .addAll(vagueWords(file)));
        assertTrue(findings.size() > 10, findings.keySet()::toString);
        check(findings, WORDS_IN_CODE, reporter);
    }

    private static List<String> vagueWords(SourceFile file) {
        return file.prose().stream()
                .flatMap(passage -> VagueWords.in(passage.joined()).stream()
                        .map(word -> file.path() + ":" + passage.line() + ": " + word))
                .toList();
    }

    @Test
    void pagesUseNoVagueWords(TestReporter reporter) {
        check(inPages(page -> VagueWords.in(withoutCode(page)).stream()), List.of(), reporter);
    }

    private static String withoutCode(Page page) {
        return page.prose().replaceAll("`[^`]+`", "").replaceAll("\\s+", " ");
    }

    /** Tables cannot be wrapped. */
    @Test
    void linesOfPagesAreShort(TestReporter reporter) {
        Predicate<String> isLong = line -> !line.strip().startsWith("|") && line.length() > MAX_PAGE_COLUMNS;
        check(inPages(page -> page.prose().lines().filter(isLong)), List.of(), reporter);
    }

    private static Map<String, List<String>> inPages(Function<Page, Stream<String>> findings) {
        Map<String, List<String>> found = new TreeMap<>();
        for (Page page : Page.all()) {
            String folder = page.toString().split("/", 2)[0];
            findings.apply(page)
                    .map(finding -> page + ": " + finding)
                    .forEach(found.computeIfAbsent(folder, key -> new ArrayList<>())::add);
        }
        assertTrue(found.keySet().containsAll(Set.of("docs", "README.md", "CONTRIBUTING.md")), found::toString);
        return found;
    }

    @Test
    void linesOfCommentsAreShort(TestReporter reporter) {
        Map<String, List<String>> findings = new TreeMap<>();
        for (SourceFile file : SourceFile.all()) {
            findings.computeIfAbsent(file.module(), module -> new ArrayList<>()).addAll(longLines(file));
        }
        check(findings, LONG_LINES, reporter);
    }

    private static List<String> longLines(SourceFile file) {
        List<String> lines = file.text().lines().toList();
        Set<Integer> numbers = new TreeSet<>();
        for (Passage passage : file.prose()) {
            if (passage.isComment()) {
                long height = passage.text().lines().count();
                for (int number = passage.line(); number < passage.line() + height; number++) {
                    if (lines.get(number - 1).length() > MAX_COMMENT_COLUMNS) {
                        numbers.add(number);
                    }
                }
            }
        }
        return numbers.stream().map(number -> file.path() + ":" + number).toList();
    }

    /** Fails if there are more findings than the backlog holds; reports that there are fewer. */
    private static void check(Map<String, List<String>> byFolder, List<Backlog> backlogs, TestReporter reporter) {
        Map<String, List<String>> rest = new TreeMap<>(byFolder);
        for (Backlog backlog : backlogs) {
            List<String> findings = backlog.folders().stream()
                    .sorted()
                    .flatMap(folder -> byFolder.getOrDefault(folder, List.of()).stream())
                    .toList();
            rest.keySet().removeAll(backlog.folders());
            if (findings.size() < backlog.findings()) {
                reporter.publishEntry("lower the backlog of " + backlog.folders(), "to " + findings.size());
            }
            assertTrue(
                    findings.size() <= backlog.findings(),
                    () -> backlog.folders() + " may have " + backlog.findings() + " findings and has "
                            + findings.size() + "; reword those that are new (docs/GLOSSARY.md has the words):\n"
                            + String.join("\n", findings));
        }
        rest.values().removeIf(List::isEmpty);
        assertEquals(Map.of(), rest, "reword these (docs/GLOSSARY.md has the words)");
    }

    @Test
    void commentsAndMessagesAreFound() {
        String source = """
                /**
                 * Waits for {@code 'x'},
                 * so
                 * many times.
                 */
                class A {
                    char quote = '"'; // "one"
                    String who = "a // b \\" c" + 'a' + '\\'' + "d /* e";
                    /* f */
                }
                """;
        assertEquals(
                List.of(
                        new Passage(1, "/**\n * Waits for {@code 'x'},\n * so\n * many times.\n */"),
                        new Passage(7, "// \"one\""),
                        new Passage(8, "\"a // b \\\" c\""),
                        new Passage(8, "\"d /* e\""),
                        new Passage(9, "/* f */")),
                Passage.of(source));
        assertEquals(
                List.of("so many"), VagueWords.in(Passage.of(source).getFirst().joined()));
    }

    @Test
    void vagueWordsAreFound() {
        assertAll(Stream.of(
                        "the lock of whoever waits",
                        "a thread who waits",
                        "Nobody waits",
                        "until somebody calls",
                        "the rank is told",
                        "peers are told",
                        "it looks for a plan",
                        "looking for work",
                        "it looks no more",
                        "so many bytes",
                        "there is no room",
                        "after its patience",
                        "what the driver makes of it",
                        "what is left of a launch",
                        "what others may not do")
                .map(text -> () -> assertEquals(1, VagueWords.in(text).size(), text)));
        assertEquals(List.of(), VagueWords.in("the rank whose whole mushroom told"));
    }

    @Test
    void aRiseFails() {
        Map<String, List<String>> findings = Map.of("a", List.of("1", "2"), "b", List.of("3"));
        TestReporter ignored = values -> {};
        check(findings, List.of(Backlog.of(3, "a", "b")), ignored);
        assertFails(findings, List.of(Backlog.of(2, "a", "b")));
        assertFails(findings, List.of(Backlog.of(2, "a")));
        check(findings, List.of(Backlog.of(2, "a"), Backlog.of(1, "b")), ignored);
    }

    private static void assertFails(Map<String, List<String>> findings, List<Backlog> backlogs) {
        assertThrows(AssertionError.class, () -> check(findings, backlogs, values -> {}));
    }
}
