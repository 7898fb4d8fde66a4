package org.mscclj.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mscclj.cli.architecture.ProjectModules.ProjectModule;

/** Compares the exports and requirements of each module with a golden text in src/test/resources/modules. */
class ModuleDescriptionTest {
    private static final Path GOLDENS = Path.of("src/test/resources/modules");
    private static final boolean UPDATE = "update".equals(System.getProperty("mscclj.golden"));
    private static final String HOW = "If this is meant, run: mvn -B verify -Dmscclj.golden=update"
            + " and commit what changed in mscclj-cli/" + GOLDENS;

    @TestFactory
    Stream<DynamicTest> descriptionIsTheGoldenOne() {
        return ProjectModules.all().stream()
                .map(module -> DynamicTest.dynamicTest(module.name(), () -> compare(module.descriptor())));
    }

    @Test
    void everyGoldenHasItsModule() throws IOException {
        Set<String> modules = ProjectModules.all().stream()
                .map(module -> module.name() + ".txt")
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> goldens;
        try (Stream<Path> files = Files.list(GOLDENS)) {
            goldens = files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
        goldens.removeAll(modules);
        assertEquals(Set.of(), goldens, "These describe no module. Remove them from mscclj-cli/" + GOLDENS);
    }

    @TestFactory
    Stream<DynamicTest> classPathFindsTheProvidersThatTheModulePathFinds() {
        return ProjectModules.all().stream()
                .map(module -> DynamicTest.dynamicTest(
                        module.name(), () -> assertEquals(provides(module), module.services(), "META-INF/services")));
    }

    @Test
    void renderingIsSortedAndComplete() {
        ModuleDescriptor module = ModuleDescriptor.newOpenModule("m")
                .requires(Set.of(Requires.Modifier.STATIC, Requires.Modifier.TRANSITIVE), "z")
                .requires("a")
                .exports("m.b", Set.of("y", "x"))
                .exports("m.a")
                .uses("a.Service")
                .provides("z.Service", List.of("m.a.Second", "m.a.First"))
                .build();
        assertEquals("""
                open module m
                exports m.a
                exports m.b to x, y
                requires a
                requires static transitive z
                uses a.Service
                provides z.Service with m.a.Second, m.a.First
                """, render(module));
        assertEquals(
                """
                module n
                opens n.a
                opens n.b to x
                """,
                render(ModuleDescriptor.newModule("n")
                        .opens("n.b", Set.of("x"))
                        .opens("n.a")
                        .build()));
    }

    private static Map<String, List<String>> provides(ProjectModule module) {
        Map<String, List<String>> provides = new TreeMap<>();
        module.descriptor().provides().forEach(p -> provides.put(p.service(), p.providers()));
        return provides;
    }

    private static void compare(ModuleDescriptor module) throws IOException {
        Path golden = GOLDENS.resolve(module.name() + ".txt");
        String actual = render(module);
        if (UPDATE) {
            Files.createDirectories(GOLDENS);
            Files.writeString(golden, actual);
            return;
        }
        String expected = Files.exists(golden) ? Files.readString(golden) : "";
        assertEquals(expected, actual, () -> "The description of " + module.name() + " changed. " + HOW);
    }

    /**
     * One line a directive, without java.base, which every module requires. Providers keep their order, as it matters.
     */
    private static String render(ModuleDescriptor module) {
        Stream<String> lines = Stream.of(
                        Stream.of((module.isOpen() ? "open module " : "module ") + module.name()),
                        module.exports().stream()
                                .map(e -> "exports " + e.source() + to(e.targets()))
                                .sorted(),
                        module.opens().stream()
                                .map(o -> "opens " + o.source() + to(o.targets()))
                                .sorted(),
                        module.requires().stream()
                                .filter(r -> !r.name().equals("java.base"))
                                .map(r -> "requires " + modifiers(r) + r.name())
                                .sorted(),
                        module.uses().stream().map(u -> "uses " + u).sorted(),
                        module.provides().stream()
                                .map(p -> "provides " + p.service() + " with " + String.join(", ", p.providers()))
                                .sorted())
                .flatMap(part -> part);
        return lines.collect(Collectors.joining("\n", "", "\n"));
    }

    private static String modifiers(Requires requires) {
        return (requires.modifiers().contains(Requires.Modifier.STATIC) ? "static " : "")
                + (requires.modifiers().contains(Requires.Modifier.TRANSITIVE) ? "transitive " : "");
    }

    private static String to(Collection<String> targets) {
        return targets.isEmpty() ? "" : " to " + String.join(", ", new TreeSet<>(targets));
    }
}
