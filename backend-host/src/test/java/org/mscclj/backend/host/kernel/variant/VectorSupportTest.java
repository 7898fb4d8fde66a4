package org.mscclj.backend.host.kernel.variant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mscclj.api.type.DataType;
import org.mscclj.posix.NativeMemory;
import org.mscclj.support.arithmetic.FloatOperator;

/** In VMs of their own, as the decision is made once. */
class VectorSupportTest {
    private static final List<String> INCUBATOR = List.of("--add-modules", "jdk.incubator.vector");

    @Test
    void usesVectorsWhereTheIncubatorIs() throws Exception {
        assertTrue(run(INCUBATOR).startsWith("vector, "));
    }

    @Test
    void doesWithoutTheIncubator() throws Exception {
        String output = run(List.of());
        assertTrue(output.startsWith("scalar: module jdk.incubator.vector is absent"), output);
        assertTrue(output.contains("--add-modules jdk.incubator.vector"), output);
    }

    @Test
    void canBeForcedToScalar() throws Exception {
        List<String> options = new ArrayList<>(INCUBATOR);
        options.add("-Dmscclj.host.vector=false");
        String output = run(options);
        assertTrue(output.startsWith("scalar: -Dmscclj.host.vector=false"), output);
    }

    private static String run(List<String> options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(options);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-cp");
        command.add(String.join(
                File.pathSeparator,
                location(DataType.class),
                location(NativeMemory.class),
                location(FloatOperator.class),
                location(VectorSupport.class),
                location(KernelSmoke.class)));
        command.add(KernelSmoke.class.getName());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), output);
        return output;
    }

    private static String location(Class<?> type) throws Exception {
        String name = "/" + type.getName().replace('.', '/') + ".class";
        String url = type.getResource(name).toString();
        String root = url.startsWith("jar:")
                ? url.substring("jar:".length(), url.indexOf('!'))
                : url.substring(0, url.length() - name.length());
        return Path.of(URI.create(root)).toString();
    }
}
