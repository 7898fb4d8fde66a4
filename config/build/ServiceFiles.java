import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes {@code META-INF/services} for the class path from the {@code provides} of a compiled {@code module-info}, so
 * that providers are named in one place only. A build step, run by the source launcher: {@code java ServiceFiles.java
 * target/classes}.
 */
final class ServiceFiles {
    private ServiceFiles() {}

    public static void main(String[] args) throws IOException {
        Path classes = Path.of(args[0]);
        ModuleDescriptor module;
        try (InputStream in = Files.newInputStream(classes.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(in);
        }
        Path services = classes.resolve("META-INF").resolve("services");
        Set<String> wanted = new TreeSet<>();
        for (ModuleDescriptor.Provides provides : module.provides()) {
            wanted.add(provides.service());
            Files.createDirectories(services);
            Files.writeString(services.resolve(provides.service()), String.join("\n", provides.providers()) + "\n");
        }
        removeStale(services, wanted);
    }

    /** A service which the module provided before the last change must not stay in the jar. */
    private static void removeStale(Path services, Set<String> wanted) throws IOException {
        if (!Files.isDirectory(services)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(services)) {
            for (Path file : files) {
                if (!wanted.contains(file.getFileName().toString())) {
                    Files.delete(file);
                }
            }
        }
    }
}
