package org.mscclj.api;

import java.time.Duration;
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
import org.mscclj.api.plan.PlanVerification;

/**
 * How one rank of a group of processes opens its {@link Communicator}. Immutable; start from {@link #rank} or
 * {@link #fromEnvironment}, and refine. Number of ranks, ranks per node, name and treatment of plans must be equal on
 * all ranks.
 */
public final class CommunicatorOptions {
    /** The greatest value of {@link #recorderEntries(int)}. */
    public static final int MOST_RECORDER_ENTRIES = 1 << 24;

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
     * Options for a rank: the best available backend, nodes that the ranks find, the default timeout, and nothing known
     * yet about where the others are. The default timeout is what {@code MSCCLJ_TIMEOUT_SECONDS}, or else
     * {@code TORCHCOMM_TIMEOUT_SECONDS}, says: 600 seconds if neither is set.
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
     * @throws InvalidArgumentException if that is no newcomer's, or the quorum does not say where its members meet
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
     * These options for a member of a quorum: its rank, number of ranks, name and meeting place are the quorum's, the
     * rest is as before. {@link Communicator#reconfigure} and {@link #newcomer} do this.
     *
     * @throws InvalidArgumentException if the quorum does not say where its members meet
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
     * What a launcher has put into an environment: {@code MSCCLJ_…}, torchrun, Open MPI, PMIx, PMI or Slurm; the first
     * of these that names a rank. {@code MSCCLJ_…} variables about anything but the rank and the number of ranks take
     * precedence one by one, too.
     *
     * @return empty if none names a rank
     * @throws InvalidArgumentException if a variable has a bad value, or lacks another that it needs; names both
     */
    public static Optional<CommunicatorOptions> detect(Map<String, String> environment) {
        return new LauncherEnvironment(Objects.requireNonNull(environment, "environment")).detect();
    }

    /**
     * With the given position among the ranks of this host, which chooses the device. Without this, it is the rank
     * modulo the ranks per node.
     *
     * @throws InvalidArgumentException if it is negative
     */
    public CommunicatorOptions localRank(int localRank) {
        return with(position.withLocalRank(localRank));
    }

    /**
     * On the device of this number, as {@link org.mscclj.api.device.Device#index} tells it, which on GPUs counts those
     * that {@code CUDA_VISIBLE_DEVICES} leaves. Without this, the rank's {@linkplain #localRank(int) position on its
     * host} chooses among all devices, by turns if there are fewer. Opening the communicator refuses a device that is
     * not there, on all ranks.
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
     * With nodes of {@code ranksPerNode} ranks, numbered node by node; also sets {@link #localRank(int)}. It is part of
     * what plans are selected by. Without this, the ranks find out which of them share a host. A host may count as
     * several nodes; opening the communicator refuses a node whose ranks are on several hosts.
     *
     * @throws InvalidArgumentException if it does not divide the number of ranks
     */
    public CommunicatorOptions ranksPerNode(int ranksPerNode) {
        return with(position.withRanksPerNode(ranksPerNode));
    }

    /** With the launcher's word that the ranks are on several hosts. */
    CommunicatorOptions onSeveralHosts() {
        return with(position.onSeveralHosts());
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
        Objects.requireNonNull(id, "id");
        return with(rendezvous.withAddress(id.address()).withSecret(id.secret()));
    }

    /**
     * With or without the permission to form the group without a secret: for networks where every process may be
     * trusted.
     */
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
     * With a name that all ranks of the job know and no other job on this host uses. If address or secret are missing,
     * and all ranks are on one host, they agree on them through a file of that name which only this user can read.
     */
    public CommunicatorOptions job(String job) {
        return with(rendezvous.withJob(job));
    }

    /**
     * With a store that all ranks share. What of rank 0's address and of the secret is not known is agreed on through
     * it, under a key that has the communicator's name: two communicators that are opened at the same time by one store
     * need different names. A secret that these options know is not stored. The store stays the caller's, to be closed
     * when the communicator is open or later.
     */
    public CommunicatorOptions store(Store store) {
        return with(rendezvous.withStore(store));
    }

    /** With the backend of the given name. */
    public CommunicatorOptions backend(String backend) {
        return with(shared.withBackend(backend));
    }

    /**
     * With the given default timeout, for set-up and for {@link Work#join()}.
     *
     * @throws InvalidArgumentException if it is not positive
     */
    public CommunicatorOptions timeout(Duration timeout) {
        return with(shared.withTimeout(timeout));
    }

    /** With the given name, which appears in messages; "world" by default. */
    public CommunicatorOptions name(String name) {
        return with(shared.withName(name));
    }

    /**
     * With the given treatment of plans that are not proved, equal on all ranks; without this, what
     * {@value PlanVerification#VARIABLE} says, else off.
     */
    public CommunicatorOptions verifyPlans(PlanVerification verification) {
        return with(shared.withVerification(verification));
    }

    /**
     * With one more hint; see {@link KnownHint}. Ranks may give different ones.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public CommunicatorOptions hint(String key, String value) {
        return hints(shared.hints().with(key, value));
    }

    /** With these hints instead of the ones before. */
    public CommunicatorOptions hints(Hints hints) {
        return with(shared.withHints(hints));
    }

    /**
     * With or without strictness: strict communicators refuse hints that mean nothing to them, or that have a value
     * which is not allowed, others log them once and go on without. Without this, what {@code MSCCLJ_STRICT_HINTS}
     * says: strict if it is 1.
     */
    public CommunicatorOptions strictHints(boolean strict) {
        return with(shared.withStrictHints(strict));
    }

    /**
     * With or without comparison: ranks that compare what they call, before each launch, refuse different calls on
     * every rank, and each launch costs a round of control messages. Messages and accesses to windows, which only some
     * ranks launch, are not compared. Equal on all ranks; children of the communicator do as it does. Without this,
     * what {@code MSCCLJ_CHECK} says: they compare if it is 1.
     */
    public CommunicatorOptions compareCalls(boolean compare) {
        return with(shared.withCompareCalls(compare));
    }

    /**
     * With a flight recorder that keeps the last {@code entries} launches of a rank, and as many messages, for messages
     * about faults and for dumps; 0 turns it off. Recording changes nothing about what is launched. Children of the
     * communicator do as it does, and ranks may differ. Without this, what the system property
     * {@code mscclj.recorder.entries} or else {@code MSCCLJ_RECORDER_ENTRIES} says, else 2,000. Memory is taken for all
     * entries when the communicator opens, and recordings hold them all.
     *
     * @throws InvalidArgumentException if it is negative, or more than {@value #MOST_RECORDER_ENTRIES}
     */
    public CommunicatorOptions recorderEntries(int entries) {
        return with(shared.withRecorderEntries(entries));
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

    /** The device that this rank was given by its number; empty if its position on its host chooses one. */
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

    /** What becomes of plans that are not proved; empty for what the environment says. */
    public Optional<PlanVerification> planVerification() {
        return shared.verification();
    }

    /** Wishes for the communicator. */
    public Hints hints() {
        return shared.hints();
    }

    /** Whether hints are strict; empty for what the environment says. */
    public Optional<Boolean> strictHints() {
        return shared.strictHints();
    }

    /** Whether ranks compare calls before they launch them; empty for what the process is told. */
    public Optional<Boolean> compareCalls() {
        return shared.compareCalls();
    }

    /** How many launches a rank's recorder keeps, 0 if it is off; empty for what the process is told. */
    public OptionalInt recorderEntries() {
        return shared.recorderEntries();
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "CommunicatorOptions[" + name() + ", " + position + ", " + rendezvous + "]";
    }
}
