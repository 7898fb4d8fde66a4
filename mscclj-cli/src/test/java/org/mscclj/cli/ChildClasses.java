package org.mscclj.cli;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of child JVMs, and an archive of the classes that most commands load: a start with it takes a third
 * less CPU time. Archives need jars, so each folder of classes becomes one. The archive lasts until a jar changes.
 */
final class ChildClasses {
    private static final Duration LIMIT = Duration.ofSeconds(50);
    private static final Path FOLDER = Path.of("target", "child-classes").toAbsolutePath();
    private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
    private static final String PATH = path();
    private static final boolean ARCHIVED = isNew(ARCHIVE) || archive();

    private ChildClasses() {}

    /** Returns the class path. */
    static String classPath() {
        return PATH;
    }

    /** Returns the option of the VM that uses the archive, if one could be made. */
    static List<String> options() {
        return ARCHIVED ? List.of("-XX:SharedArchiveFile=" + ARCHIVE) : List.of();
    }

    private static String path() {
        String given = String.join(
                File.pathSeparator,
                Path.of("target", "test-classes").toString(),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path", ""));
        Set<String> entries = new LinkedHashSet<>();
        try {
            Files.createDirectories(FOLDER);
            for (String entry : given.split(File.pathSeparator)) {
                Path path = Path.of(entry).toAbsolutePath();
                if (!entry.isEmpty()) {
                    entries.add((Files.isDirectory(path) ? jar(path) : path).toString());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return String.join(File.pathSeparator, entries);
    }

    /** Makes a jar, unless there is one with this content. */
    private static Path jar(Path classes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                ZipEntry entry = new ZipEntry(classes.relativize(file).toString());
                entry.setLastModifiedTime(FileTime.fromMillis(0));
                zip.putNextEntry(entry);
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        Path jar = FOLDER.resolve(classes.getFileName() + ".jar");
        if (!Files.isRegularFile(jar) || !Arrays.equals(Files.readAllBytes(jar), bytes.toByteArray())) {
            Files.write(jar, bytes.toByteArray());
        }
        return jar;
    }

    /** Whether a file is newer than all jars. */
    private static boolean isNew(Path file) {
        long time = file.toFile().lastModified();
        return Stream.of(PATH.split(File.pathSeparator)).allMatch(jar -> new File(jar).lastModified() < time);
    }

    /** Makes the archive of the classes that a short run of a plan loads. */
    private static boolean archive() {
        String option = "-XX:SharedArchiveFile=" + ARCHIVE;
        try {
            // A VM that an interrupted run of the tests left behind may still write to its own list.
            Path list = Files.createTempFile(FOLDER, "classes", ".list");
            list.toFile().deleteOnExit();
            Files.deleteIfExists(ARCHIVE);
            return ended(List.of("-XX:DumpLoadedClassList=" + list))
                    && ended(List.of("-Xshare:dump", "-XX:SharedClassListFile=" + list, option));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean ended(List<String> options) throws IOException, InterruptedException {
        String plan = CommandLineRun.example("allgather_2ranks");
        Process process = new ProcessBuilder(
                        JavaCommand.of(Main.class, PATH, options, "run", plan, "--size", "1K", "--iterations", "1"))
                .redirectErrorStream(true)
                .redirectOutput(FOLDER.resolve("archive.log").toFile())
                .start();
        try {
            return process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }
}
