package org.mscclj.cli.prose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Bounds of files, packages and names of main code. A file or a package may be larger if its package-info names it and
 * gives the reason.
 */
final class SourceBoundsTest {
    private static final int MAX_LINES = 400;

    private static final int MAX_TYPES = 25;

    /** Simple names that two modules may share, in all. */
    private static final int MAX_SHARED_NAMES = 10;

    private static List<SourceFile> classes() {
        List<SourceFile> classes = SourceFile.all().stream()
                .filter(file -> file.isMain() && file.path().toString().endsWith(".java"))
                .filter(file -> !file.module().equals("examples")) // projects of their own
                .filter(file -> !name(file).endsWith("-info"))
                .toList();
        assertTrue(classes.size() > 1000, () -> "only " + classes.size() + " classes were found");
        return classes;
    }

    private static String name(SourceFile file) {
        String name = file.path().getFileName().toString();
        return name.substring(0, name.lastIndexOf('.'));
    }

    private static Path folder(SourceFile file) {
        return Objects.requireNonNull(file.path().getParent());
    }

    private static Map<Path, String> packageInfos() {
        return SourceFile.all().stream()
                .filter(file -> name(file).equals("package-info"))
                .collect(Collectors.toMap(
                        SourceBoundsTest::folder, file -> file.text().replaceAll("\\s+\\*?\\s*", " ")));
    }

    @Test
    void filesAreSmallOrHaveAReason() {
        Map<Path, String> infos = packageInfos();
        List<String> unexplained = new ArrayList<>();
        for (SourceFile file : classes()) {
            long lines = file.text().lines().count();
            String info = infos.getOrDefault(folder(file), "");
            if (lines > MAX_LINES && !(info.contains("{@code " + name(file) + "}") && info.contains("400 lines"))) {
                unexplained.add(file.path() + ": " + lines + " lines");
            }
        }
        assertEquals(List.of(), unexplained, "split these, or give the reason in the package-info");
    }

    @Test
    void packagesAreSmallOrHaveAReason() {
        Map<Path, String> infos = packageInfos();
        Map<Path, Long> sizes = classes().stream()
                .collect(Collectors.groupingBy(SourceBoundsTest::folder, TreeMap::new, Collectors.counting()));
        sizes.entrySet()
                .removeIf(entry -> entry.getValue() <= MAX_TYPES
                        || infos.getOrDefault(entry.getKey(), "").contains("more than 25 types"));
        assertEquals(Map.of(), sizes, "split these packages, or give the reason in the package-info");
    }

    @Test
    void noNameIsTwiceInAModule() {
        Map<String, Long> names = counts(classes().stream().map(file -> file.module() + " " + name(file)));
        assertEquals(Map.of(), names, "rename one of each two");
    }

    @Test
    void fewNamesAreTwiceInTheTree() {
        Map<String, Long> names = counts(classes().stream().map(SourceBoundsTest::name));
        assertTrue(names.size() <= MAX_SHARED_NAMES, () -> "rename some of " + names);
        assertTrue(names.containsKey("MemoryChannel"), "the API and the language both have it");
    }

    private static Map<String, Long> counts(Stream<String> names) {
        Map<String, Long> counts =
                names.collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        counts.values().removeIf(count -> count == 1);
        return counts;
    }
}
