package org.mscclj.language;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/dsl.md} lists every public name of the language as code. */
class DocumentedNamesTest {
    private static final Path PAGE = Path.of("..", "docs", "dsl.md");

    /** Members of every record and enum. */
    private static final Set<String> GENERATED = Set.of("equals", "hashCode", "toString", "values", "valueOf");

    @Test
    void everyPublicNameIsOnThePage() throws IOException, URISyntaxException {
        String code = Pattern.compile("```.*?```|`[^`]+`", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map(match -> String.valueOf(match.group()))
                .collect(Collectors.joining(" "));
        Set<String> named = Pattern.compile("\\W+").splitAsStream(code).collect(Collectors.toCollection(TreeSet::new));
        List<Class<?>> types = types();
        assertTrue(types.contains(PortChannel.class) && types.contains(SwitchChannel.Member.class), types::toString);
        List<String> missing = types.stream()
                .flatMap(DocumentedNamesTest::names)
                .filter(name -> !named.contains(name.substring(name.lastIndexOf('.') + 1)))
                .distinct()
                .sorted()
                .toList();
        assertEquals(List.of(), missing);
    }

    /** The public types of the package. */
    private static List<Class<?>> types() throws IOException, URISyntaxException {
        String name = AlgoSpec.class.getPackageName();
        Path folder = Path.of(AlgoSpec.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .resolve(name.replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.equals("package-info.class"))
                    .map(file -> name + "." + file.substring(0, file.length() - ".class".length()))
                    .<Class<?>>map(DocumentedNamesTest::type)
                    .filter(type -> Modifier.isPublic(type.getModifiers()))
                    .toList();
        }
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<String> names(Class<?> type) {
        Stream<String> methods = Stream.of(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(Method::getName)
                .filter(name -> !GENERATED.contains(name));
        return Stream.concat(Stream.of(type.getSimpleName()), methods.map(name -> type.getSimpleName() + "." + name));
    }
}
