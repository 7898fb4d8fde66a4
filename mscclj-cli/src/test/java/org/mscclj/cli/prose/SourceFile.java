package org.mscclj.cli.prose;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.mscclj.cli.CommandLineRun;

/**
 * A source file of the project.
 *
 * @param path its path, relative to the root of the project
 * @param text its text
 */
record SourceFile(Path path, String text) {
    private static final Pattern NAME = Pattern.compile(".+\\.(?:java|cu|cuh|h|cpp)");

    /** Returns the source files of all modules, of main code and of tests. */
    static List<SourceFile> all() {
        List<SourceFile> files = new ArrayList<>();
        try {
            Files.walkFileTree(CommandLineRun.ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String name = folder.getFileName().toString();
                    boolean skipped = !folder.equals(CommandLineRun.ROOT)
                            && (name.startsWith(".") || name.equals("target") || name.equals("shared"));
                    return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (NAME.matcher(file.getFileName().toString()).matches()
                            && file.toString().contains("/src/")) {
                        files.add(new SourceFile(CommandLineRun.ROOT.relativize(file), Files.readString(file)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    /** Returns the name of the folder at the root of the project that contains this file. */
    String module() {
        return path.getName(0).toString();
    }

    /** Whether this file belongs to main code. */
    boolean isMain() {
        return path.toString().contains("/src/main/");
    }

    /** Returns the comments and string literals. */
    List<Passage> prose() {
        return Passage.of(text);
    }
}
