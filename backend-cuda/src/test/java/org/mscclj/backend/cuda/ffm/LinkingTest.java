package org.mscclj.backend.cuda.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.mscclj.backend.cuda.standin.StandIn;
import org.mscclj.gpu.library.CompilerLibrary;
import org.mscclj.posix.IntCall;

@ResourceLock(StandIn.RESOURCE)
class LinkingTest {
    private static final Path CLASSES = Path.of("target/classes/org/mscclj/backend/cuda/ffm");

    private static final Set<Class<?>> FUNCTIONS = Set.of(MethodHandle.class, IntCall.class, CompilerLibrary.class);

    /** They bind functions of NVML, which a thread of its own links, or none. */
    private static final Set<Class<?>> OTHERS = Set.of(Nvml.class);

    @BeforeAll
    static void useStandIn() {
        StandIn.use();
    }

    @Test
    void everyClassWithFunctionsOfTheDriverIsLinked() throws IOException {
        List<String> names;
        try (Stream<Path> files = Files.list(CLASSES)) {
            names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.startsWith("package-info"))
                    .map(name -> "org.mscclj.backend.cuda.ffm." + name.replace(".class", ""))
                    .toList();
        }
        Set<String> found = new TreeSet<>();
        for (String name : names) {
            Class<?> type = load(name);
            if (!OTHERS.contains(type) && hasFunctions(type)) {
                found.add(name);
            }
        }
        assertEquals(Linking.USERS.stream().map(Class::getName).collect(Collectors.toCollection(TreeSet::new)), found);
        Linking.linkAll();
    }

    /** Without initialising it. */
    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, LinkingTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean hasFunctions(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .anyMatch(field -> FUNCTIONS.contains(field.getType()));
    }
}
