package org.mscclj.cli.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mscclj.cli.CommandLineRun;

/**
 * A page of Markdown.
 *
 * @param file the file
 * @param text its text
 */
public record Page(Path file, String text) {
    private static final Path DOCS = CommandLineRun.ROOT.resolve("docs");
    private static final Path GUIDE = DOCS.resolve("guide");
    private static final Pattern BLOCK =
            Pattern.compile("^( *)```(\\w*)\n(.*?)^ *```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** The page of the repository's root that a reader sees first. */
    public static Page readme() {
        return of(CommandLineRun.ROOT.resolve("README.md"));
    }

    /** The index of the user's guide. */
    public static Page index() {
        return of(GUIDE.resolve("README.md"));
    }

    /** The README, and all pages of the user's guide. */
    public static List<Page> guide() {
        return Stream.concat(Stream.of(readme()), in(GUIDE)).toList();
    }

    /**
     * All pages for readers: the README, CONTRIBUTING, docs and examples. Without the changelog, which describes the
     * past.
     */
    public static List<Page> all() {
        return Stream.of(
                        Stream.of(readme(), of(CommandLineRun.ROOT.resolve("CONTRIBUTING.md"))),
                        in(DOCS),
                        in(CommandLineRun.ROOT.resolve("examples")))
                .flatMap(pages -> pages)
                .toList();
    }

    /** The page of a file. */
    public static Page of(Path file) {
        try {
            return new Page(file, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Page> in(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().map(Page::of).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The blocks of code in a language. */
    public List<String> blocks(String language) {
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(2).equals(language))
                .map(block -> block.group(3).stripIndent())
                .toList();
    }

    /** The text without its blocks of code. */
    public String prose() {
        return BLOCK.matcher(text).replaceAll("");
    }

    /** Names, options and commands in the prose, each with one space between its words. */
    public List<String> codeInProse() {
        return CODE.matcher(prose())
                .results()
                .map(code -> code.group(1).replaceAll("\\s+", " "))
                .toList();
    }

    /** The targets of the links within the repository, as they are written. */
    public List<String> links() {
        return LINK.matcher(prose()).results().map(link -> link.group(1)).toList();
    }

    /** The file that a link leads to. */
    public Path target(String link) {
        String name = link.split("#", 2)[0];
        return name.isEmpty() ? file : file.resolveSibling(name).normalize();
    }

    /** The anchors of the headings, as GitHub makes them. */
    public Set<String> anchors() {
        return HEADING.matcher(prose())
                .results()
                .map(heading -> anchor(heading.group(1)))
                .collect(Collectors.toSet());
    }

    private static String anchor(String heading) {
        return heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
                .strip()
                .replace(' ', '-');
    }

    @Override
    public String toString() {
        return CommandLineRun.ROOT.relativize(file).toString();
    }
}
