package org.mscclj.backend.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.spi.device.HardwareKind;

/** The name of this machine's processors. */
final class ProcessorName {
    private static final Path LINUX = Path.of("/proc/cpuinfo");
    private static final String MODEL = "model name";

    /** The model, and how many of them this process has. Its code is compiled by the virtual machine. */
    static final HardwareKind KIND = new HardwareKind(
            model(LINUX).orElse(System.getProperty("os.arch")) + ", "
                    + Runtime.getRuntime().availableProcessors() + " processors",
            "Java " + Runtime.version(),
            "");

    private ProcessorName() {}

    /** Returns the model that a file of Linux names; empty if it names none. */
    static Optional<String> model(Path file) {
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(MODEL) && line.contains(": "))
                    .map(line -> line.substring(line.indexOf(": ") + 2).strip())
                    .filter(name -> !name.isEmpty())
                    .findFirst();
        } catch (IOException _) { // the architecture is name enough
            return Optional.empty();
        }
    }
}
