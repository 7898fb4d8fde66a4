package org.mscclj.language;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.Plan;
import org.mscclj.plan.digest.Sha256;
import org.mscclj.plan.folder.UserCache;
import org.mscclj.plan.json.PlanWriter;

/**
 * A directory of compiled plans: the counterpart of MSCCL++'s {@code compile}. Each plan has a file, which
 * {@code mscclj run}, other processes and MSCCL++ can read.
 *
 * <p>The name of a file consists of the plan's name and the SHA-256 of its JSON. Only this key includes everything that
 * affects a plan: a definition is code, and neither its name, its specification nor its class shows whether it has
 * changed, but its output does. Therefore the definition always runs and is always compiled, which is faster than
 * reading and validating a file. A program without changes finds its file with equal bytes and leaves it; a changed
 * program, or one that a newer version of this library compiles differently, gets another file; two programs with equal
 * names and specifications never share a file. The content of a file is known before it is opened, so a plan never
 * depends on the content of the directory: a file with other content is replaced.
 *
 * <p>A file is written under a temporary name and moved in one step, so readers see complete files even if several
 * processes write concurrently. Thread-safe.
 */
public final class CompiledPlans {
    /** The directory within the user's home if no environment variable names one. */
    private static final List<String> IN_HOME = List.of(".cache", "mscclj", "plans");

    private static final int MAX_NAME_LENGTH = 64;

    /**
     * The file of a plan.
     *
     * @param file its path
     * @param written whether the call wrote it; false if it existed
     */
    public record PlanFile(Path file, boolean written) {}

    private final Path directory;

    private CompiledPlans(Path directory) {
        this.directory = directory;
    }

    /** The plans in a directory, which need not exist yet. */
    public static CompiledPlans in(Path directory) {
        return new CompiledPlans(directory.toAbsolutePath());
    }

    /**
     * The user's plans: in the directory of {@code MSCCLJ_CACHE_DIR}, or of {@code MSCCLPP_CACHE_DIR}, where MSCCL++
     * keeps its plans, or else in {@code ~/.cache/mscclj/plans}. If another user can write to that directory, a private
     * one replaces it until the process ends, with a warning.
     *
     * @throws InvalidArgumentException if the value of the variable begins with {@code ~}
     */
    public static CompiledPlans ofUser() {
        return in(UserCache.ofProcess(IN_HOME).folder());
    }

    /** The directory of the files. */
    public Path directory() {
        return directory;
    }

    /**
     * Compiles a program and ensures that the file of its plan exists.
     *
     * @param algorithm defines the program for a specification
     * @param spec the specification
     * @return the plan; its file is {@link #file(Plan)}
     * @throws InvalidArgumentException if the program is wrong, if its specification differs from {@code spec}, or if
     *     its file is missing and cannot be written; {@link CollectiveProgram#compile()} needs no file
     */
    public Plan compile(Function<AlgoSpec, CollectiveProgram> algorithm, AlgoSpec spec) {
        CollectiveProgram program = algorithm.apply(spec);
        if (!program.spec().equals(spec)) {
            throw new InvalidArgumentException("program " + PlainText.escape(spec.name())
                    + " is defined with another specification than the one it is compiled for, " + program.spec()
                    + "; allowed: " + spec);
        }
        Plan plan = program.compile();
        PlanFile _ = keep(plan);
        return plan;
    }

    /**
     * Ensures that the file of a plan exists.
     *
     * @throws InvalidArgumentException if it is missing and cannot be written
     */
    public PlanFile keep(Plan plan) {
        byte[] json = json(plan);
        Path file = file(plan, json);
        if (holds(file, json)) {
            return new PlanFile(file, false);
        }
        write(file, json);
        return new PlanFile(file, true);
    }

    /**
     * All plan files in the directory, by name, of any origin; empty if the directory does not exist.
     *
     * @throws InvalidArgumentException if the directory cannot be read
     */
    public List<Path> files() {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.getFileName().toString().endsWith(".json"))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            throw new InvalidArgumentException(
                    PlainText.escape(directory.toString()) + ": cannot be read: " + FileProblem.of(e)
                            + "; allowed: a folder, or the name of none yet",
                    e);
        }
    }

    /** The path of a plan's file, whether it exists or not. */
    public Path file(Plan plan) {
        return file(plan, json(plan));
    }

    private Path file(Plan plan, byte[] json) {
        String name = plan.name().replaceAll("[^A-Za-z0-9_-]", "_");
        String start = name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH));
        return directory.resolve(start + "-" + Sha256.of(json) + ".json");
    }

    private static byte[] json(Plan plan) {
        return PlanWriter.write(plan).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean holds(Path file, byte[] json) {
        try {
            // Does not read a file of another length, nor a pipe, which could block.
            return Files.isRegularFile(file)
                    && Files.size(file) == json.length
                    && Arrays.equals(Files.readAllBytes(file), json);
        } catch (IOException e) {
            return false; // An unreadable file is written again, and the write reports the reason.
        }
    }

    private void write(Path file, byte[] json) {
        Path beside = directory.resolve("." + UUID.randomUUID() + ".tmp");
        try {
            makeDirectory();
            try {
                Files.write(beside, json, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(beside);
            }
        } catch (IOException e) {
            throw unwritable(file, json.length, e);
        }
    }

    /**
     * Creates the directory so that this user may write and all users may read, for any umask: a directory that its
     * group may write to is not trusted.
     */
    private void makeDirectory() throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        } else {
            Files.createDirectories(directory);
        }
    }

    private static InvalidArgumentException unwritable(Path file, int bytes, IOException cause) {
        return new InvalidArgumentException(
                PlainText.escape(file.toString()) + ": the compiled plan cannot be written: "
                        + FileProblem.of(cause)
                        + "; allowed: a folder that can be written to, with " + bytes
                        + " bytes free; MSCCLJ_CACHE_DIR, --directory of the command, or CompiledPlans.in(…) names"
                        + " another, and"
                        + " CollectiveProgram.compile() writes nothing",
                cause);
    }
}
