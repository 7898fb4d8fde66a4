package org.mscclj.plan.language;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.plan.Plan;
import org.mscclj.plan.folder.UserCache;
import org.mscclj.plan.json.PlanWriter;

/**
 * A folder of compiled plans: the counterpart of MSCCL++'s {@code compile}. Each plan has a file, which {@code mscclj
 * run}, other processes and MSCCL++ read.
 *
 * <p>A file is named by the plan's name and the SHA-256 of its own JSON, and by nothing else. That is the only key that
 * holds everything which changes a plan: a definition is code, and whether it has changed cannot be seen from its name,
 * its specification or its class, but from what it says when it runs. So the definition always runs and is always
 * compiled, which takes less time than to read and check the file. A program that has not changed thereby finds its
 * file, byte for byte, and leaves it alone; one that has changed, or that a newer version of this library compiles
 * differently, gets another; two programs of one name and specification never share one. What a file holds is known
 * before it is opened, so that a plan never depends on what lies in the folder: a file with any other content is
 * replaced.
 *
 * <p>Files are written beside their place and moved there in one step: who reads one reads all of it, whoever writes at
 * the same time, in this process or another. Safe for use by several threads.
 */
public final class CompiledPlans {
    /** Where the folder is in the user's home, if no variable names one. */
    private static final List<String> IN_HOME = List.of(".cache", "mscclj", "plans");

    private static final int LONGEST_NAME = 64;

    /**
     * A plan's file.
     *
     * @param file where it is
     * @param written whether it had to be written; false if it was there
     */
    public record Kept(Path file, boolean written) {}

    private final Path directory;

    private CompiledPlans(Path directory) {
        this.directory = directory;
    }

    /** The plans in a folder, which need not exist yet. */
    public static CompiledPlans in(Path directory) {
        return new CompiledPlans(directory.toAbsolutePath());
    }

    /**
     * The user's plans: those in the folder that {@code MSCCLJ_CACHE_DIR} names, or {@code MSCCLPP_CACHE_DIR}, where
     * MSCCL++ keeps its plans, or else in {@code ~/.cache/mscclj/plans}. If another user can write to that folder, a
     * private one takes its place until the process ends, and a warning says so.
     *
     * @throws InvalidArgumentException if the name begins with {@code ~}
     */
    public static CompiledPlans ofUser() {
        return in(UserCache.ofProcess(IN_HOME).folder());
    }

    /** Where the files are. */
    public Path directory() {
        return directory;
    }

    /**
     * Compiles a program, and sees to it that its plan's file is there.
     *
     * @param algorithm defines the program
     * @param spec what it is defined with
     * @return the plan; its file is {@link #file(Plan)}
     * @throws InvalidArgumentException if the program is wrong, is not defined with {@code spec}, or its file is
     *     missing and cannot be written: the file is what this method adds to {@link CollectiveProgram#compile()},
     *     which needs none
     */
    public Plan compile(Function<AlgoSpec, CollectiveProgram> algorithm, AlgoSpec spec) {
        CollectiveProgram program = algorithm.apply(spec);
        if (!program.spec().equals(spec)) {
            throw new InvalidArgumentException("program " + PlainText.escape(spec.name())
                    + " is defined with another specification than the one it is compiled for, " + program.spec()
                    + "; allowed: " + spec);
        }
        Plan plan = program.compile();
        Kept _ = keep(plan);
        return plan;
    }

    /**
     * Sees to it that the file of a plan is there.
     *
     * @throws InvalidArgumentException if it is missing and cannot be written
     */
    public Kept keep(Plan plan) {
        byte[] json = json(plan);
        Path file = file(plan, json);
        if (holds(file, json)) {
            return new Kept(file, false);
        }
        write(file, json);
        return new Kept(file, true);
    }

    /**
     * The plan files in the folder, by name, whoever wrote them; none if there is no such folder.
     *
     * @throws InvalidArgumentException if the folder cannot be read
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

    /** Where a plan's file is, or would be. */
    public Path file(Plan plan) {
        return file(plan, json(plan));
    }

    private Path file(Plan plan, byte[] json) {
        String name = plan.name().replaceAll("[^A-Za-z0-9_-]", "_");
        String start = name.substring(0, Math.min(name.length(), LONGEST_NAME));
        return directory.resolve(start + "-" + HexFormat.of().formatHex(sha256(json)) + ".json");
    }

    private static byte[] json(Plan plan) {
        return PlanWriter.write(plan).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static boolean holds(Path file, byte[] json) {
        try {
            // Reading a wrong file would be a waste, and reading a pipe could last for ever.
            return Files.isRegularFile(file)
                    && Files.size(file) == json.length
                    && Arrays.equals(Files.readAllBytes(file), json);
        } catch (IOException e) {
            return false; // What cannot be read is written anew, and writing says what is the matter.
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
     * For this user to write to, and for everybody to read, whatever the umask is: a folder that its group may write to
     * is not trusted.
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
                        + "; allowed: a folder that can be written to, with room for " + bytes
                        + " bytes; MSCCLJ_CACHE_DIR, --directory of the command, or CompiledPlans.in(…) names"
                        + " another, and"
                        + " CollectiveProgram.compile() writes nothing",
                cause);
    }
}
