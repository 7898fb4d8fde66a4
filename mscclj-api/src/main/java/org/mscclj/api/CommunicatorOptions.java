package org.mscclj.api;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RankPosition;
import org.mscclj.api.bootstrap.Rendezvous;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.bootstrap.TlsOptions;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Hints;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.plan.PlanVerification;

/**
 * The options with which one rank of a group of processes opens its {@link Communicator}. Immutable; start from
 * {@link #rank} or {@link #fromEnvironment}, and refine. Number of ranks, ranks per node, name and treatment of plans
 * must be equal on all ranks.
 */
public final class CommunicatorOptions {
    /** The greatest value of {@link #recorderEntries(int)}. */
    public static final int MAX_RECORDER_ENTRIES = 1 << 24;

    private final RankPosition position;
    private final OptionalInt device;
    private final Rendezvous rendezvous;
    private final SharedOptions shared;
    private final Optional<Quorum> quorum;

    private CommunicatorOptions(
            RankPosition position,
            OptionalInt device,
            Rendezvous rendezvous,
            SharedOptions shared,
            Optional<Quorum> quorum) {
        this.position = position;
        this.device = device;
        this.rendezvous = rendezvous;
        this.shared = shared;
        this.quorum = quorum;
    }

    /**
     * Options for a rank: the best available backend, nodes that the ranks find, the default timeout, and no rendezvous
     * yet. The default timeout is the value of {@code MSCCLJ_TIMEOUT_SECONDS}, or else of
     * {@code TORCHCOMM_TIMEOUT_SECONDS}; 600 seconds if neither is set.
     *
     * @param rank this rank, from 0
     * @param size number of ranks
     * @throws InvalidArgumentException if there is no such rank, or one of these variables has a bad value
     */
    public static CommunicatorOptions rank(int rank, int size) {
        return new CommunicatorOptions(
                RankPosition.of(rank, size),
                OptionalInt.empty(),
                Rendezvous.UNKNOWN,
                SharedOptions.of("world"),
                Optional.empty());
    }

    /**
     * Options for a process that joins a group which is {@linkplain Communicator#reconfigure reconfigured}. Refine them
     * as the survivors' were: backend, TLS and treatment of plans must be equal; {@link #device(int)} chooses one that
     * no survivor has.
     *
     * @param rank this process's rank in the new communicator
     * @throws InvalidArgumentException if that is not the rank of a newcomer, or the quorum has no rendezvous
     */
    public static CommunicatorOptions newcomer(Quorum quorum, int rank) {
        Objects.requireNonNull(quorum, "quorum");
        if (!quorum.newcomers().contains(rank)) {
            throw InvalidArgumentException.of(
                    "rank of a newcomer in quorum " + quorum.id(), rank, "one of " + quorum.newcomers());
        }
        return rank(rank, quorum.size()).member(quorum, rank);
    }

    /**
     * These options for a member of a quorum: rank, number of ranks, name and rendezvous come from the quorum, all
     * other options stay. {@link Communicator#reconfigure} and {@link #newcomer} do this.
     *
     * @throws InvalidArgumentException if the quorum has no rendezvous
     */
    public CommunicatorOptions member(Quorum membership, int rank) {
        Objects.requireNonNull(membership, "membership");
        RankPosition place = RankPosition.of(rank, membership.size());
        return new CommunicatorOptions(
                membership.ranksPerNode().isPresent()
                        ? place.withRanksPerNode(membership.ranksPerNode().get())
                        : place,
                device,
                meetingOf(membership),
                shared.withName(membership.id()),
                Optional.of(membership));
    }

    /**
     * Reads the options that the launcher has put into this process's environment; see {@link #detect}.
     *
     * @throws InvalidArgumentException if no launcher is recognised, or a variable has a bad value
     */
    public static CommunicatorOptions fromEnvironment() {
        return detect(System.getenv())
                .orElseThrow(() -> new InvalidArgumentException("no launcher has set this process's rank; start it with"
                        + " mscclj launch, torchrun, mpirun or srun, or set MSCCLJ_RANK and MSCCLJ_WORLD_SIZE"));
    }

    /**
     * Reads the options that a launcher has put into an environment: {@code MSCCLJ_…}, torchrun, Open MPI, PMIx, PMI or
     * Slurm. The first of these that names a rank counts. {@code MSCCLJ_…} variables about anything but the rank and
     * the number of ranks take precedence one by one, too.
     *
     * @return empty if none names a rank
     * @throws InvalidArgumentException if a variable has a bad value, or lacks another that it needs; the message names
     *     both
     */
    public static Optional<CommunicatorOptions> detect(Map<String, String> environment) {
        return new LauncherEnvironment(Objects.requireNonNull(environment, "environment")).detect();
    }

    /**
     * Returns a copy with the given position among the ranks of this host, which chooses the device. Without this, it
     * is the rank modulo the ranks per node.
     *
     * @throws InvalidArgumentException if it is negative
     */
    public CommunicatorOptions localRank(int localRank) {
        return with(position.withLocalRank(localRank));
    }

    /**
     * On the device of this number, as {@link org.mscclj.api.device.Device#index} returns it; on GPUs it counts the
     * devices that {@code CUDA_VISIBLE_DEVICES} leaves visible. Without this, the rank's {@linkplain #localRank(int)
     * position on its host} chooses among all devices, round-robin if there are fewer devices than ranks. Opening the
     * communicator refuses a device that does not exist, on all ranks.
     *
     * @throws InvalidArgumentException if it is negative
     */
    public CommunicatorOptions device(int device) {
        if (device < 0) {
            throw InvalidArgumentException.of("device", device, "0 or more");
        }
        return new CommunicatorOptions(position, OptionalInt.of(device), rendezvous, shared, quorum);
    }

    /**
     * Returns a copy with nodes of {@code ranksPerNode} ranks, numbered node by node; also sets
     * {@link #localRank(int)}. Plan selection uses this number. Without this, the ranks find out which of them share a
     * host. A host may count as several nodes; opening the communicator refuses a node whose ranks are on several
     * hosts.
     *
     * @throws InvalidArgumentException if it does not divide the number of ranks
     */
    public CommunicatorOptions ranksPerNode(int ranksPerNode) {
        return with(position.withRanksPerNode(ranksPerNode));
    }

    /** Returns a copy for ranks that are on several hosts, as the launcher states. */
    CommunicatorOptions onSeveralHosts() {
        return with(position.onSeveralHosts());
    }

    /** Returns a copy with the address at which rank 0 listens, in the format of {@link RendezvousAddress#parse}. */
    public CommunicatorOptions address(String address) {
        return address(RendezvousAddress.parse(address));
    }

    /** Returns a copy with the address at which rank 0 listens. */
    public CommunicatorOptions address(RendezvousAddress address) {
        return with(rendezvous.withAddress(address));
    }

    /**
     * Returns a copy with the secret that every connection proves to know, equal on all ranks.
     *
     * @throws InvalidArgumentException if it is empty
     */
    public CommunicatorOptions secret(String secret) {
        return with(rendezvous.withSecret(secret));
    }

    /** Returns a copy with address and secret of a unique id. */
    public CommunicatorOptions uniqueId(UniqueId id) {
        Objects.requireNonNull(id, "id");
        return with(rendezvous.withAddress(id.address()).withSecret(id.secret()));
    }

    /**
     * Returns a copy with or without the permission to form the group without a secret, for networks where every
     * process is trusted.
     */
    public CommunicatorOptions insecure(boolean insecure) {
        return with(rendezvous.withInsecure(insecure));
    }

    /**
     * Returns a copy with the ports that this rank may accept control connections on, for firewalls; any by default.
     */
    public CommunicatorOptions controlPorts(PortRange ports) {
        return with(rendezvous.withControlPorts(ports));
    }

    /** Returns a copy with encryption of control connections; on all ranks or on none. */
    public CommunicatorOptions tls(TlsOptions tls) {
        return with(rendezvous.withTls(tls));
    }

    /**
     * Returns a copy with a name that all ranks of the job know and no other job on this host uses. If address or
     * secret are missing, and all ranks are on one host, they agree on them through a file of that name which only this
     * user can read.
     */
    public CommunicatorOptions job(String job) {
        return with(rendezvous.withJob(job));
    }

    /**
     * Returns a copy with a store that all ranks share. The ranks agree through the store on rank 0's address and on
     * the secret where these options lack them, under a key that contains the communicator's name: two communicators
     * that are opened at the same time by one store need different names. A secret that these options know is not
     * stored. The caller keeps the store, and closes it when the communicator is open or later.
     */
    public CommunicatorOptions store(Store store) {
        return with(rendezvous.withStore(store));
    }

    /** Returns a copy with the backend of the given name. */
    public CommunicatorOptions backend(String backend) {
        return with(shared.withBackend(backend));
    }

    /**
     * Returns a copy with the given default timeout, for set-up and for {@link Work#join()}.
     *
     * @throws InvalidArgumentException if it is negative; zero means none
     */
    public CommunicatorOptions timeout(Duration timeout) {
        return with(shared.withTimeout(timeout));
    }

    /** Returns a copy with the given name, which appears in messages; "world" by default. */
    public CommunicatorOptions name(String name) {
        return with(shared.withName(name));
    }

    /**
     * Returns a copy with the given treatment of plans that are not proved, equal on all ranks; without this, the value
     * of {@value PlanVerification#VARIABLE}, else off.
     */
    public CommunicatorOptions verifyPlans(PlanVerification verification) {
        return with(shared.withVerification(verification));
    }

    /**
     * Returns a copy with one more hint; see {@link KnownHint}. Ranks may pass different hints.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public CommunicatorOptions hint(String key, String value) {
        return hints(shared.hints().with(key, value));
    }

    /** Returns a copy with these hints instead of the ones before. */
    public CommunicatorOptions hints(Hints hints) {
        return with(shared.withHints(hints));
    }

    /**
     * Returns a copy with or without strict hints. A strict communicator refuses unknown hints and hints with a value
     * that is not allowed; others log such a hint once and ignore it. Without this, {@code MSCCLJ_STRICT_HINTS}
     * decides: strict if it is 1.
     */
    public CommunicatorOptions strictHints(boolean strict) {
        return with(shared.withStrictHints(strict));
    }

    /**
     * Returns a copy with or without comparison of calls. With comparison, the ranks compare their calls before each
     * launch and refuse different calls on every rank; each launch costs a round of control messages. Point-to-point
     * calls and accesses to windows, which only some ranks launch, are not compared. Must be equal on all ranks;
     * children of the communicator inherit it. Without this, {@code MSCCLJ_CHECK} decides: the ranks compare if it is
     * 1.
     */
    public CommunicatorOptions compareCalls(boolean compare) {
        return with(shared.withCompareCalls(compare));
    }

    /**
     * Returns a copy with a flight recorder that keeps the last {@code entries} launches of a rank, and an equal number
     * of sends and receives, for messages about faults and for dumps; 0 turns it off. Recording does not change
     * launches. Children of the communicator inherit the number, and ranks may differ. Without this, the number is the
     * system property {@code mscclj.recorder.entries}, or else {@code MSCCLJ_RECORDER_ENTRIES}, else 2,000. Memory for
     * all entries is allocated when the communicator opens, and recordings hold all of them.
     *
     * @throws InvalidArgumentException if it is negative, or more than {@value #MAX_RECORDER_ENTRIES}
     */
    public CommunicatorOptions recorderEntries(int entries) {
        return with(shared.withRecorderEntries(entries));
    }

    /**
     * Returns a copy with classes of calls that the ranks set up when they open the communicator. Opening then takes
     * longer, and the first call of these classes causes no traffic between ranks. Must be equal on all ranks; children
     * of the communicator inherit it. Without this, nothing is set up before it is used.
     *
     * @param classes the classes, in any order that is equal on all ranks
     */
    public CommunicatorOptions warmUp(List<WarmUp> classes) {
        return with(shared.withWarmUp(classes));
    }

    /**
     * Returns a copy that follows the measured choices of a file, with equal entries on all ranks; children of the
     * communicator follow those for their number of ranks. The file is read once, when the communicator opens. Without
     * this, {@code MSCCLJ_TUNING} names the file; without both, the choices are those for the kind of device.
     *
     * @param file a file that {@code mscclj tune} or {@link org.mscclj.api.tuning.TuningEntry#save} has written, or an
     *     empty path to follow none, also if {@code MSCCLJ_TUNING} is set
     */
    public CommunicatorOptions tuning(Path file) {
        return with(shared.withTuning(file));
    }

    private Rendezvous meetingOf(Quorum membership) {
        Rendezvous meeting = membership.meeting();
        if (meeting.store().isEmpty() && meeting.address().isEmpty()) {
            throw new InvalidArgumentException("quorum " + membership.id()
                    + " does not say where its members meet; give it a store, an address, or a unique id");
        }
        return new Rendezvous(
                meeting.address(),
                rendezvous.controlPorts(),
                meeting.secret().or(() -> meeting.store().isPresent() ? Optional.empty() : rendezvous.secret()),
                rendezvous.insecure(),
                rendezvous.tls(),
                Optional.empty(),
                meeting.store());
    }

    private CommunicatorOptions with(RankPosition changed) {
        return new CommunicatorOptions(changed, device, rendezvous, shared, quorum);
    }

    private CommunicatorOptions with(Rendezvous changed) {
        return new CommunicatorOptions(position, device, changed, shared, quorum);
    }

    private CommunicatorOptions with(SharedOptions changed) {
        return new CommunicatorOptions(position, device, rendezvous, changed, quorum);
    }

    /** This rank's position in the group. */
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

    /** The number of this rank's device; empty if the rank's position on its host chooses one. */
    public OptionalInt device() {
        return device;
    }

    /** How the ranks find each other. */
    public Rendezvous rendezvous() {
        return rendezvous;
    }

    /** The membership that this rank opens; empty for the first one of a group. */
    public Optional<Quorum> quorum() {
        return quorum;
    }

    /** The backend's name; empty for the best available one. */
    public Optional<String> backend() {
        return shared.backend();
    }

    /** Default timeout. */
    public Duration timeout() {
        return shared.timeout();
    }

    /** The communicator's name. */
    public String name() {
        return shared.name();
    }

    /** The treatment of plans that are not proved; empty for the setting of the environment. */
    public Optional<PlanVerification> planVerification() {
        return shared.verification();
    }

    /** The hints for the communicator. */
    public Hints hints() {
        return shared.hints();
    }

    /** Whether hints are strict; empty for the setting of the environment. */
    public Optional<Boolean> strictHints() {
        return shared.strictHints();
    }

    /** Whether ranks compare calls before they launch them; empty for the process's own setting. */
    public Optional<Boolean> compareCalls() {
        return shared.compareCalls();
    }

    /** How many launches a rank's recorder keeps, 0 if it is off; empty for the process's own setting. */
    public OptionalInt recorderEntries() {
        return shared.recorderEntries();
    }

    /** Returns the classes of calls that are set up when a communicator opens. */
    public List<WarmUp> warmUp() {
        return shared.warmUp();
    }

    /** The file of measured choices; empty for the setting of the environment. */
    public Optional<Path> tuning() {
        return shared.tuning();
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "CommunicatorOptions[" + name() + ", " + position + ", " + rendezvous + "]";
    }
}
