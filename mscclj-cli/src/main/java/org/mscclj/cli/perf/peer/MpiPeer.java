package org.mscclj.cli.perf.peer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.cli.check.CheckedCall;
import org.mscclj.cli.launch.NoInput;
import org.mscclj.cli.launch.SearchPath;
import org.mscclj.cli.ranks.RankSession;

/** The installed MPI: {@code mpirun} starts a small C program for each call, which is compiled once. */
public final class MpiPeer implements Peer {
    private static final String SOURCE = "mpi_peer.c";
    private static final String PROGRAM = "mpi_peer";
    private static final int MAX_TURNS = 2;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    /**
     * Prefixes of variables of launchers that may have started this process; with them {@code mpirun} would treat
     * itself as one of their ranks.
     */
    private static final List<String> LAUNCHERS = List.of("OMPI_", "PMIX_", "PMI_", "PRTE_", "HYDRA_", "SLURM_");

    private Optional<Path> folder = Optional.empty();

    /** Compiled at the first call, which only rank 0 makes. */
    public MpiPeer() {}

    /**
     * Checks that MPI is installed and supports a call, without starting it.
     *
     * @throws InvalidArgumentException if not; the message says what to install or to change
     */
    public static void require(CheckedCall example) {
        for (String tool : List.of("mpicc", "mpirun")) {
            if (!SearchPath.finds(tool)) {
                throw new InvalidArgumentException("--peer is mpi, and there is no " + tool
                        + " on PATH; install MPI (Debian and Ubuntu: openmpi-bin and libopenmpi-dev)");
            }
        }
        DataType type = example.type();
        if (type.isFloat() && type != DataType.FLOAT32 && type != DataType.FLOAT64) {
            throw InvalidArgumentException.of("--dtype", type, "float32, float64 or an integer type with --peer mpi");
        }
        ReduceOp.Kind kind = example.op().kind();
        if (kind == ReduceOp.Kind.AVG || kind == ReduceOp.Kind.PREMUL_SUM) {
            throw InvalidArgumentException.of(
                    "--op", example.op(), "sum, product, min, max, band, bor or bxor with --peer mpi");
        }
    }

    @Override
    public String name() {
        return "mpi";
    }

    @Override
    public String description() {
        return "MPI's collective, in processes of its own";
    }

    /** Few turns, since starting MPI's processes takes long. */
    @Override
    public int mostTurns() {
        return MAX_TURNS;
    }

    @Override
    public RankPeer join(RankSession session) {
        return new MpiRank(this, session);
    }

    /** Whether MPI's counts, of type int, can represent the size. */
    static boolean counts(PeerCall call) {
        return call.shape().count() <= Integer.MAX_VALUE;
    }

    /** Times a call with its number of ranks; returns the nanoseconds of each batch on the slowest rank. */
    double[] time(PeerCall call, int batches) {
        CheckedCall shape = call.shape();
        Path compiled = folder.isPresent() ? folder.get() : compile();
        String lines = run(
                compiled,
                List.of(
                        "mpirun",
                        "-np",
                        Integer.toString(shape.ranks()),
                        compiled.resolve(PROGRAM).toString(),
                        shape.collective().label(),
                        shape.type().label(),
                        shape.opLabel(),
                        Long.toString(shape.count()),
                        Integer.toString(call.root()),
                        shape.inPlace() ? "in-place" : "out-of-place",
                        Integer.toString(call.launches() * call.size().repeats()),
                        Integer.toString(batches)));
        double[] nanos = lines.lines().mapToDouble(Double::parseDouble).toArray();
        if (nanos.length != batches) {
            throw new BackendException(
                    "MPI's program printed " + nanos.length + " times instead of " + batches, 0, "unexpected output");
        }
        return nanos;
    }

    private Path compile() {
        try (InputStream source = Objects.requireNonNull(MpiPeer.class.getResourceAsStream(SOURCE), SOURCE)) {
            Path created = Files.createTempDirectory("mscclj-mpi-peer");
            folder = Optional.of(created);
            Path file = created.resolve(SOURCE);
            Files.copy(source, file);
            run(created, List.of("mpicc", "-O3", "-o", created.resolve(PROGRAM).toString(), file.toString()));
            return created;
        } catch (IOException e) {
            throw new BackendException("MPI's program cannot be compiled: " + FileProblem.of(e), e);
        }
    }

    /** Runs a program in the folder; returns its output. */
    private static String run(Path folder, List<String> command) {
        Path errors = folder.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(NoInput.redirect())
                .redirectOutput(folder.resolve("output").toFile())
                .redirectError(errors.toFile());
        adapt(builder.environment());
        try {
            Process process = builder.start();
            try {
                if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new OperationTimeoutException(
                            command.getFirst() + " did not end within " + LIMIT.toMinutes() + " min: "
                                    + String.join(" ", command),
                            List.of());
                }
            } finally {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
            if (process.exitValue() != 0) {
                throw new BackendException(
                        command.getFirst() + " failed: " + Files.readString(errors, Charset.defaultCharset()),
                        process.exitValue(),
                        "exit code");
            }
            return Files.readString(folder.resolve("output"), Charset.defaultCharset());
        } catch (IOException e) {
            throw new BackendException(command.getFirst() + " cannot be run: " + FileProblem.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted while " + command.getFirst() + " was running", e);
        }
    }

    private static void adapt(Map<String, String> environment) {
        environment.keySet().removeIf(name -> LAUNCHERS.stream().anyMatch(name::startsWith));
        // Open MPI rejects root, and more ranks than cores, unless these variables allow them.
        environment.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        environment.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        environment.put("OMPI_MCA_rmaps_base_oversubscribe", "1");
        environment.put("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    }

    @Override
    public void close() {
        folder.ifPresent(created -> {
            try (Stream<Path> files = Files.list(created)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
                Files.delete(created);
            } catch (IOException e) {
                throw new BackendException(created + " cannot be removed: " + FileProblem.of(e), e);
            }
        });
        folder = Optional.empty();
    }
}
