package org.example.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.cli.Main;

/**
 * The script of the manifests starts the ranks. Pods are processes of this machine here: each gets the variables of the
 * manifest and its number, as the job gives it to a pod. Only the name of pod 0 is another one.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScriptTest {
    @TempDir
    private Path folder;

    private final List<Process> pods = new ArrayList<>();

    @AfterEach
    void killWhatIsLeft() {
        pods.forEach(pod -> pod.descendants().forEach(ProcessHandle::destroyForcibly));
        pods.forEach(Process::destroyForcibly);
    }

    @Test
    void allPodsFormOneWorld() throws Exception {
        Manifest manifest = Manifest.read("allreduce-tcp.yaml");
        writeCommand();
        for (int index = 0; index < manifest.pods(); index++) {
            pods.add(start(manifest, index));
        }
        for (int index = 0; index < manifest.pods(); index++) {
            assertEquals(0, pods.get(index).waitFor(), Files.readString(output(index)));
        }
        String first = Files.readString(output(0));
        assertTrue(first.contains("4 ranks"), first);
        assertTrue(first.contains("2 on each node"), first);
        assertTrue(first.lines().anyMatch(line -> line.strip().startsWith("1048576 ")), first);
    }

    private Process start(Manifest manifest, int index) throws IOException {
        List<String> command = new ArrayList<>(manifest.ranks().getCommand());
        command.addAll(manifest.ranks().getArgs());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output(index).toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("MSCCLJ_"));
        environment.putAll(manifest.variables());
        environment.put("JOB_COMPLETION_INDEX", Integer.toString(index));
        environment.put("MSCCLJ_SECRET", "of-this-test-0123456789abcdef");
        environment.put("MSCCLJ_MASTER_ADDR", "127.0.0.1");
        environment.put("MSCCLJ_RANKS_PER_NODE", manifest.variables().get("RANKS_PER_POD"));
        environment.put("PATH", folder + ":" + environment.getOrDefault("PATH", "/usr/bin:/bin"));
        return builder.start();
    }

    private Path output(int index) {
        return folder.resolve("output" + index);
    }

    /** Writes the command that the image has. */
    private void writeCommand() throws IOException {
        Path command = folder.resolve("mscclj");
        Files.writeString(
                command,
                """
                #!/bin/sh
                exec '%s/bin/java' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --add-modules jdk.incubator.vector \\
                    --enable-native-access=ALL-UNNAMED -cp '%s' %s "$@"
                """.formatted(
                                System.getProperty("java.home"),
                                System.getProperty("java.class.path"),
                                Main.class.getName()));
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    }
}
