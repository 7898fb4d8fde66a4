package org.mscclj.api;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RankPosition;
import org.mscclj.api.bootstrap.Rendezvous;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.TlsOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.plan.PlanVerification;

/**
 * How one rank of a group of processes opens its {@link Communicator}. Immutable; start from {@link #rank} or {@link #fromEnvironment},
 * and refine. Number of ranks, ranks per node, name and treatment of plans must be equal on all ranks.
 */
public final class CommunicatorOptions {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

    private final RankPosition position;
    private final Rendezvous rendezvous;
    private final String name;
    private final Optional<String> backend;
    private final Duration timeout;
    private final Optional<PlanVerification> verification;

    private CommunicatorOptions(
            RankPosition position,
            Rendezvous rendezvous,
            String name,
            Optional<String> backend,
            Duration timeout,
            Optional<PlanVerification> verification) {
        this.position = position;
        this.rendezvous = rendezvous;
        this.name = name;
        this.backend = backend;
        this.timeout = timeout;
        this.verification = verification;
    }

    /**
     * Options for a rank: the best available backend, one node, a timeout of 600 seconds, and nothing known yet about where the others
     * are.
     *
     * @param rank this rank, from 0
     * @param size number of ranks
     * @throws InvalidArgumentException if there is no such rank
     */
    public static CommunicatorOptions rank(int rank, int size) {
        return new CommunicatorOptions(
                RankPosition.of(rank, size),
                Rendezvous.UNKNOWN,
                "world",
                Optional.empty(),
                DEFAULT_TIMEOUT,
                Optional.empty());
    }

    /**
     * What the launcher has put into this process's environment; see {@link #detect}.
     *
     * @throws InvalidArgumentException if no launcher is recognised, or a variable has a bad value
     */
    public static CommunicatorOptions fromEnvironment() {
        return detect(System.getenv())
                .orElseThrow(() -> new InvalidArgumentException("no launcher has set this process's rank; start it with"
                        + " mscclj launch, torchrun, mpirun or srun, or set MSCCLJ_RANK and MSCCLJ_WORLD_SIZE"));
    }

    /**
     * What a launcher has put into an environment: {@code MSCCLJ_…}, torchrun, Open MPI, PMIx, PMI or Slurm; the first of these that names
     * a rank. {@code MSCCLJ_…} variables about anything but the rank and the number of ranks take precedence one by one, too.
     *
     * @return empty if none names a rank
     * @throws InvalidArgumentException if a variable has a bad value, or lacks another that it needs; names both
     */
    public static Optional<CommunicatorOptions> detect(Map<String, String> environment) {
        return new LauncherEnvironment(environment).detect();
    }

    /**
     * With the given position among the ranks of this host, which chooses the device. Without this, it is the rank modulo the ranks per
     * node.
     *
     * @throws InvalidArgumentException if it is negative
     */
    public CommunicatorOptions localRank(int localRank) {
        return with(position.withLocalRank(localRank));
    }

    /**
     * With nodes of {@code ranksPerNode} ranks, numbered node by node; also sets {@link #localRank(int)}. It is part of what plans are
     * selected by.
     *
     * @throws InvalidArgumentException if it does not divide the number of ranks
     */
    public CommunicatorOptions ranksPerNode(int ranksPerNode) {
        return with(position.withRanksPerNode(ranksPerNode));
    }

    /** With the address that rank 0 waits at, as {@link RendezvousAddress#parse} reads it. */
    public CommunicatorOptions address(String address) {
        return address(RendezvousAddress.parse(address));
    }

    /** With the address that rank 0 waits at. */
    public CommunicatorOptions address(RendezvousAddress address) {
        return with(rendezvous.withAddress(address));
    }

    /**
     * With the secret that every connection proves to know, equal on all ranks.
     *
     * @throws InvalidArgumentException if it is empty
     */
    public CommunicatorOptions secret(String secret) {
        return with(rendezvous.withSecret(secret));
    }

    /** With address and secret of a unique id. */
    public CommunicatorOptions uniqueId(UniqueId id) {
        return with(rendezvous.withAddress(id.address()).withSecret(id.secret()));
    }

    /** With or without the permission to form the group without a secret: for networks where every process may be trusted. */
    public CommunicatorOptions insecure(boolean insecure) {
        return with(rendezvous.withInsecure(insecure));
    }

    /** With the ports that this rank may accept control connections on, for firewalls; any by default. */
    public CommunicatorOptions controlPorts(PortRange ports) {
        return with(rendezvous.withControlPorts(ports));
    }

    /** With encryption of control connections; on all ranks or on none. */
    public CommunicatorOptions tls(TlsOptions tls) {
        return with(rendezvous.withTls(tls));
    }

    /**
     * With a name that all ranks of the job know and no other job on this host uses. If address or secret are missing, and all ranks are on
     * one host, they agree on them through a file of that name which only this user can read.
     */
    public CommunicatorOptions job(String job) {
        return with(rendezvous.withJob(job));
    }

    /** With the backend of the given name. */
    public CommunicatorOptions backend(String backend) {
        return new CommunicatorOptions(position, rendezvous, name, Optional.of(backend), timeout, verification);
    }

    /**
     * With the given default timeout, for set-up and for {@link Work#join()}.
     *
     * @throws InvalidArgumentException if it is not positive
     */
    public CommunicatorOptions timeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw InvalidArgumentException.of("timeout", timeout, "more than 0");
        }
        return new CommunicatorOptions(position, rendezvous, name, backend, timeout, verification);
    }

    /** With the given name, which appears in messages; "world" by default. */
    public CommunicatorOptions name(String name) {
        return new CommunicatorOptions(position, rendezvous, name, backend, timeout, verification);
    }

    /**
     * With the given treatment of plans that are not proved, equal on all ranks; without this, what {@value PlanVerification#VARIABLE} says, else
     * off.
     */
    public CommunicatorOptions verifyPlans(PlanVerification verification) {
        return new CommunicatorOptions(position, rendezvous, name, backend, timeout, Optional.of(verification));
    }

    private CommunicatorOptions with(RankPosition changed) {
        return new CommunicatorOptions(changed, rendezvous, name, backend, timeout, verification);
    }

    private CommunicatorOptions with(Rendezvous changed) {
        return new CommunicatorOptions(position, changed, name, backend, timeout, verification);
    }

    /** Who this rank is. */
    public RankPosition position() {
        return position;
    }

    /** This rank, from 0. */
    public int rank() {
        return position.rank();
    }

    /** Number of ranks. */
    public int size() {
        return position.size();
    }

    /** How the ranks find each other. */
    public Rendezvous rendezvous() {
        return rendezvous;
    }

    /** The backend's name; empty for the best available one. */
    public Optional<String> backend() {
        return backend;
    }

    /** Default timeout. */
    public Duration timeout() {
        return timeout;
    }

    /** The communicator's name. */
    public String name() {
        return name;
    }

    /** What becomes of plans that are not proved; empty for what the environment says. */
    public Optional<PlanVerification> planVerification() {
        return verification;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "CommunicatorOptions[" + name + ", " + position + ", " + rendezvous + "]";
    }
}
