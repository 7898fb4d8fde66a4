package org.mscclj.api;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.TlsOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Flag;

/** Reads the environment variables by which launchers pass ranks and sizes to processes. */
final class LauncherEnvironment {
    /** Where torchrun's own store occupies the port that it names, rank 0 takes one of the next ports. */
    private static final int PORTS_BESIDE_THE_STORE = 16;

    private static final PortRange TORCHRUN_PORT = new PortRange(29_500, 29_500);

    private final Map<String, String> environment;

    LauncherEnvironment(Map<String, String> environment) {
        this.environment = environment;
    }

    Optional<CommunicatorOptions> detect() {
        // A loop instead of a stream, so that the stack of an exception shows the user's call, not frames of a stream.
        List<Supplier<Optional<CommunicatorOptions>>> launchers = List.of(
                this::mscclj, this::torchComm, this::torchrun, this::openMpi, this::slurm, this::pmix, this::pmi);
        for (Supplier<Optional<CommunicatorOptions>> launcher : launchers) {
            Optional<CommunicatorOptions> launched = launcher.get();
            if (launched.isPresent()) {
                return Optional.of(refined(launched.get()));
            }
        }
        return Optional.empty();
    }

    private Optional<CommunicatorOptions> mscclj() {
        if (text("MSCCLJ_RANK").isEmpty()) {
            return Optional.empty();
        }
        int size = requiredBeside("MSCCLJ_WORLD_SIZE", "MSCCLJ_RANK");
        return Optional.of(launched("MSCCLJ_RANK", size, "MSCCLJ_LOCAL_RANK", OptionalInt.empty()));
    }

    /** The position that TorchComm reads first; all other variables are torchrun's. */
    private Optional<CommunicatorOptions> torchComm() {
        return text("TORCHCOMM_RANK")
                .map(_ -> torch("TORCHCOMM_RANK", requiredBeside("TORCHCOMM_SIZE", "TORCHCOMM_RANK")));
    }

    private Optional<CommunicatorOptions> torchrun() {
        return text("RANK").isEmpty() || text("WORLD_SIZE").isEmpty() // other software may set these
                ? Optional.empty()
                : Optional.of(torch("RANK", number("WORLD_SIZE")));
    }

    private CommunicatorOptions torch(String rank, int size) {
        CommunicatorOptions options = launched(rank, size, "LOCAL_RANK", optional("LOCAL_WORLD_SIZE"));
        Optional<String> host = text("MASTER_ADDR");
        if (host.isPresent()) {
            PortRange ports = ports("MASTER_PORT").orElse(TORCHRUN_PORT);
            boolean occupied = Flag.of(environment, "TORCHELASTIC_USE_AGENT_STORE", false);
            options = options.address(RendezvousAddress.of(
                    host.get(),
                    occupied ? new PortRange(ports.last() + 1, ports.last() + PORTS_BESIDE_THE_STORE) : ports));
        }
        return options.job("torchrun-" + text("TORCHELASTIC_RUN_ID").orElse("none") + "-"
                + text("MASTER_PORT").orElse("none"));
    }

    private Optional<CommunicatorOptions> openMpi() {
        if (text("OMPI_COMM_WORLD_RANK").isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(withJob(
                launched(
                        "OMPI_COMM_WORLD_RANK",
                        requiredBeside("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
                        "OMPI_COMM_WORLD_LOCAL_RANK",
                        optional("OMPI_COMM_WORLD_LOCAL_SIZE")),
                "mpi-",
                text("PMIX_NAMESPACE").or(() -> text("OMPI_MCA_ess_base_jobid"))));
    }

    private Optional<CommunicatorOptions> pmix() {
        if (text("PMIX_RANK").isEmpty()) {
            return Optional.empty();
        }
        // PMIx passes the size through its own protocol only. Slurm's variables would describe mpirun's daemons.
        OptionalInt size = optional(text("PMIX_SIZE").isPresent() ? "PMIX_SIZE" : "MSCCLJ_WORLD_SIZE");
        if (size.isEmpty()) {
            throw new InvalidArgumentException(
                    "PMIX_RANK is set, but nothing says how many ranks there are; set MSCCLJ_WORLD_SIZE");
        }
        return Optional.of(withJob(
                launched("PMIX_RANK", size.getAsInt(), "PMIX_LOCAL_RANK", optional("PMIX_LOCAL_SIZE")),
                "pmix-",
                text("PMIX_NAMESPACE")));
    }

    private Optional<CommunicatorOptions> pmi() {
        if (text("PMI_RANK").isEmpty()) {
            return Optional.empty();
        }
        int size = requiredBeside("PMI_SIZE", "PMI_RANK");
        OptionalInt localSize = optional("MPI_LOCALNRANKS");
        Optional<String> job = localSize.isPresent() && localSize.getAsInt() == size
                ? text("PMI_KVS").or(LauncherEnvironment::parent)
                : text("PMI_KVS");
        return Optional.of(withJob(launched("PMI_RANK", size, "MPI_LOCALRANKID", localSize), "pmi-", job));
    }

    /** MPICH names no job, but all ranks of a host are children of one of its proxies. */
    private static Optional<String> parent() {
        return ProcessHandle.current().parent().map(process -> "parent-" + process.pid());
    }

    private Optional<CommunicatorOptions> slurm() {
        return SlurmStep.of(environment)
                .filter(step -> step.startedRanks(environment))
                .map(this::slurm);
    }

    private CommunicatorOptions slurm(SlurmStep step) {
        CommunicatorOptions options = launched("SLURM_PROCID", step.tasks(), "SLURM_LOCALID", step.severalNodes());
        if (step.severalNodes() && step.firstNode().isPresent()) {
            options = options.address(RendezvousAddress.of(step.firstNode().get(), step.ports()));
        }
        return withJob(options, "slurm-", Optional.of(step.id()));
    }

    /** A rank of a launcher that may pass the number of ranks on this host. */
    private CommunicatorOptions launched(String rank, int size, String localRank, OptionalInt localSize) {
        if (localSize.isPresent() && (localSize.getAsInt() < 1 || localSize.getAsInt() > size)) {
            throw InvalidArgumentException.of(
                    "number of ranks on this host, by the launcher,", localSize.getAsInt(), "1 to " + size);
        }
        return launched(rank, size, localRank, localSize.isPresent() && localSize.getAsInt() < size);
    }

    /** A rank that a launcher names, as corrected by {@code MSCCLJ_LOCAL_RANK} and {@code MSCCLJ_RANKS_PER_NODE}. */
    private CommunicatorOptions launched(String rank, int size, String localRank, boolean severalHosts) {
        CommunicatorOptions options =
                CommunicatorOptions.rank(number(rank), size).timeout(DefaultTimeout.of(environment));
        OptionalInt ranksPerNode = optional("MSCCLJ_RANKS_PER_NODE");
        if (ranksPerNode.isPresent()) {
            options = options.ranksPerNode(ranksPerNode.getAsInt());
        } else if (severalHosts) {
            options = options.onSeveralHosts();
        }
        OptionalInt local = optional(text("MSCCLJ_LOCAL_RANK").isPresent() ? "MSCCLJ_LOCAL_RANK" : localRank);
        return local.isPresent() ? options.localRank(local.getAsInt()) : options;
    }

    private static CommunicatorOptions withJob(CommunicatorOptions options, String kind, Optional<String> job) {
        return job.map(id -> options.job(kind + id)).orElse(options);
    }

    /** Applies the variables that hold for the ranks of any launcher. */
    private CommunicatorOptions refined(CommunicatorOptions launched) {
        CommunicatorOptions options = launched;
        Optional<RendezvousAddress> address = address("MSCCLJ_MASTER_ADDR", "MSCCLJ_MASTER_PORT", options)
                .or(() -> address("MSCCLPP_MASTER_ADDR", "MSCCLPP_MASTER_PORT", launched));
        if (address.isPresent()) {
            options = options.address(address.get());
        }
        return withTrust(options);
    }

    private CommunicatorOptions withTrust(CommunicatorOptions launched) {
        CommunicatorOptions options = launched;
        Optional<String> secret = secret();
        if (secret.isPresent()) {
            options = options.secret(secret.get());
        }
        Optional<String> job = text("MSCCLJ_JOB");
        if (job.isPresent()) {
            options = options.job(job.get());
        }
        Optional<PortRange> ports = ports("MSCCLJ_CONTROL_PORTS");
        if (ports.isPresent()) {
            options = options.controlPorts(ports.get());
        }
        Optional<String> keys = text("MSCCLJ_TLS_KEY_STORE");
        if (keys.isPresent()) {
            options = options.tls(new TlsOptions(
                    Path.of(keys.get()),
                    Path.of(textBeside("MSCCLJ_TLS_TRUST_STORE", "MSCCLJ_TLS_KEY_STORE")),
                    tlsPassword()));
        }
        return options.insecure(Flag.of(environment, "MSCCLJ_INSECURE", false));
    }

    private Optional<String> secret() {
        return fileOf("MSCCLJ_SECRET_FILE").or(() -> text("MSCCLJ_SECRET"));
    }

    private String tlsPassword() {
        return fileOf("MSCCLJ_TLS_PASSWORD_FILE")
                .orElseGet(() -> textBeside("MSCCLJ_TLS_PASSWORD", "MSCCLJ_TLS_KEY_STORE"));
    }

    /**
     * The value from a file. A file takes precedence over an environment variable, since no recording of this process
     * contains it.
     */
    private Optional<String> fileOf(String variable) {
        return text(variable).map(file -> SecretFile.read(variable, Path.of(file)));
    }

    /**
     * An address from a host, or a whole {@code interface:ip:port}, and a port; a port alone replaces the port of the
     * launcher.
     */
    private Optional<RendezvousAddress> address(String hostName, String portName, CommunicatorOptions options) {
        Optional<PortRange> ports = ports(portName);
        Optional<String> host = text(hostName);
        if (host.isEmpty()) {
            return ports.flatMap(range -> options.rendezvous()
                    .address()
                    .map(known -> new RendezvousAddress(known.interfaceName(), known.host(), range)));
        }
        if (ports.isPresent()) {
            return Optional.of(RendezvousAddress.parse(host.get(), ports.get()));
        }
        if (host.get().indexOf(':') < 0) {
            throw InvalidArgumentException.of(
                    hostName, host.get(), "host:port, interface:ip:port, or a host with the port in " + portName);
        }
        return Optional.of(RendezvousAddress.parse(host.get()));
    }

    private Optional<PortRange> ports(String name) {
        Optional<String> given = text(name);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(PortRange.parse(given.get()));
        } catch (InvalidArgumentException e) {
            throw new InvalidArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    private Optional<String> text(String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }

    private String textBeside(String name, String other) {
        return text(name)
                .orElseThrow(() -> new InvalidArgumentException(other + " is set, but not " + name + "; set both"));
    }

    private int requiredBeside(String name, String other) {
        textBeside(name, other);
        return number(name);
    }

    private OptionalInt optional(String name) {
        return text(name).isPresent() ? OptionalInt.of(number(name)) : OptionalInt.empty();
    }

    private int number(String name) {
        String value = text(name).orElse("");
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(name + " is \"" + value + "\"; allowed: a whole number", e);
        }
    }
}
