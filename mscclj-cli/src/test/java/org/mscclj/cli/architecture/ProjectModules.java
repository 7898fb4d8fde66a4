package org.mscclj.cli.architecture;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The project's modules on the path of these tests: the dependencies of the command, as jars or as folders of classes.
 */
public final class ProjectModules {
    private ProjectModules() {}

    /**
     * One of them.
     *
     * @param location its jar, or its folder of classes
     * @param classes how many classes it has
     * @param services the generated files in META-INF/services: from the name of a service to the lines
     */
    public record ProjectModule(
            ModuleDescriptor descriptor, Path location, long classes, Map<String, List<String>> services) {
        /** Its name. */
        public String name() {
            return descriptor.name();
        }
    }

    /** All of them, by name. */
    public static List<ProjectModule> all() {
        List<ProjectModule> modules = new ArrayList<>();
        for (String property : List.of("jdk.module.path", "java.class.path")) {
            for (String entry : System.getProperty(property, "").split(File.pathSeparator)) {
                Path path = Path.of(entry);
                if (!entry.isEmpty() && Files.exists(path)) {
                    read(path, modules);
                }
            }
        }
        modules.sort(Comparator.comparing(ProjectModule::name));
        return modules;
    }

    private static void read(Path path, List<ProjectModule> to) {
        try {
            if (Files.isDirectory(path)) {
                readRoot(path, path, to);
            } else if (path.toString().endsWith(".jar")) {
                try (FileSystem jar = FileSystems.newFileSystem(path)) {
                    readRoot(jar.getPath("/"), path, to);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(path.toString(), e);
        }
    }

    private static void readRoot(Path root, Path location, List<ProjectModule> to) throws IOException {
        Path info = root.resolve("module-info.class");
        if (!Files.exists(info)) {
            return;
        }
        // The descriptor in a folder has no packages, so they are collected here.
        Set<String> packages = new TreeSet<>();
        long classes = 0;
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = root.relativize(file).toString().replace('\\', '/');
                if (name.endsWith(".class") && name.contains("/")) {
                    packages.add(name.substring(0, name.lastIndexOf('/')).replace('/', '.'));
                    classes += name.endsWith("/package-info.class") ? 0 : 1;
                }
            }
        }
        ModuleDescriptor descriptor;
        try (InputStream in = Files.newInputStream(info)) {
            descriptor = ModuleDescriptor.read(in, () -> packages);
        }
        if (descriptor.name().startsWith("org.mscclj.")) {
            to.add(new ProjectModule(descriptor, location, classes, services(root.resolve("META-INF/services"))));
        }
    }

    private static Map<String, List<String>> services(Path folder) throws IOException {
        Map<String, List<String>> services = new TreeMap<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    services.put(file.getFileName().toString(), Files.readAllLines(file));
                }
            }
        }
        return services;
    }
}
