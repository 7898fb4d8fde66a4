package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignalsTest {
    private static final int KILLED = 128 + 9;

    /** The program of the process that is killed. */
    static final class Victim {
        private Victim() {}

        public static void main(String[] arguments) {
            Signals.killThisProcess();
        }
    }

    private static String location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    @Test
    void theProcessEndsAtOnce() throws IOException, InterruptedException, URISyntaxException {
        assumeTrue(
                PosixSupport.missing().isEmpty(), () -> PosixSupport.missing().orElse(""));
        Path classes = Path.of(location(Signals.class));
        String tests = classes.resolveSibling("test-classes").toString();
        Process victim = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classes + File.pathSeparator + tests,
                        Victim.class.getName()))
                .redirectErrorStream(true)
                .start();
        String output = new String(victim.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(KILLED, victim.waitFor(), output);
    }
}
