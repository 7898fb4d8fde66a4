package org.mscclj.api;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.api.check.GivenList;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Hints;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.option.WarmUp;
import org.mscclj.api.plan.PlanVerification;

/** The options with which a {@link LocalGroup} is opened. Immutable; start from {@link #ranks} and refine. */
public final class LocalGroupOptions {
    private final int ranks;
    private final int ranksPerNode;
    private final List<Integer> devices;
    private final SharedOptions shared;

    private LocalGroupOptions(int ranks, int ranksPerNode, List<Integer> devices, SharedOptions shared) {
        this.ranks = ranks;
        this.ranksPerNode = ranksPerNode;
        this.devices = devices;
        this.shared = shared;
    }

    /**
     * Options for the given number of ranks: the best available backend, one node, and the timeout of
     * {@code MSCCLJ_TIMEOUT_SECONDS}, or else of {@code TORCHCOMM_TIMEOUT_SECONDS}; 600 seconds if neither is set.
     *
     * @throws InvalidArgumentException if there is not at least one rank, or one of these variables has a bad value
     */
    public static LocalGroupOptions ranks(int ranks) {
        if (ranks < 1) {
            throw InvalidArgumentException.of("ranks", ranks, "1 or more");
        }
        return new LocalGroupOptions(ranks, ranks, List.of(), SharedOptions.of("local"));
    }

    /**
     * Returns a copy with ranks treated as if on different nodes, {@code ranksPerNode} on each: between nodes no memory
     * is mapped, and port channels take a transport that leaves the node. Plan selection uses this number.
     *
     * @throws InvalidArgumentException if it does not divide the number of ranks
     */
    public LocalGroupOptions ranksPerNode(int ranksPerNode) {
        if (ranksPerNode < 1 || ranks % ranksPerNode != 0) {
            throw InvalidArgumentException.of("ranks per node", ranksPerNode, "a divisor of " + ranks);
        }
        return new LocalGroupOptions(ranks, ranksPerNode, devices, shared);
    }

    /**
     * Returns a copy with a device for each rank, by its number: as {@link org.mscclj.api.device.Device#index} returns
     * it; on GPUs it counts the devices that {@code CUDA_VISIBLE_DEVICES} leaves visible. Ranks may share a device.
     * Without this, ranks take all devices round-robin. Opening a group refuses devices that do not exist.
     *
     * @param devices rank by rank
     * @throws InvalidArgumentException if there is not one number for each rank, or one is negative
     */
    public LocalGroupOptions devices(List<Integer> devices) {
        List<Integer> given = GivenList.copy(devices, "devices");
        if (given.size() != ranks || given.stream().anyMatch(device -> device < 0)) {
            throw InvalidArgumentException.of("devices", given, ranks + " numbers, one for each rank, 0 or more each");
        }
        return new LocalGroupOptions(ranks, ranksPerNode, given, shared);
    }

    /** Returns a copy with the backend of the given name. */
    public LocalGroupOptions backend(String backend) {
        return with(shared.withBackend(backend));
    }

    /**
     * Returns a copy with the given default timeout, for set-up and for {@link Work#join()}.
     *
     * @throws InvalidArgumentException if it is negative; zero means none
     */
    public LocalGroupOptions timeout(Duration timeout) {
        return with(shared.withTimeout(timeout));
    }

    /** Returns a copy with the given name, which appears in messages. */
    public LocalGroupOptions name(String name) {
        return with(shared.withName(name));
    }

    /**
     * Returns a copy with the given treatment of plans that are not proved; without this, the value of
     * {@value PlanVerification#VARIABLE}, else off.
     */
    public LocalGroupOptions verifyPlans(PlanVerification verification) {
        return with(shared.withVerification(verification));
    }

    /**
     * Returns a copy with one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public LocalGroupOptions hint(String key, String value) {
        return hints(shared.hints().with(key, value));
    }

    /** Returns a copy with these hints instead of the ones before. */
    public LocalGroupOptions hints(Hints hints) {
        return with(shared.withHints(hints));
    }

    /**
     * Returns a copy with or without strict hints. A strict communicator refuses unknown hints and hints with a value
     * that is not allowed; others log such a hint once and ignore it. Without this, {@code MSCCLJ_STRICT_HINTS}
     * decides: strict if it is 1.
     */
    public LocalGroupOptions strictHints(boolean strict) {
        return with(shared.withStrictHints(strict));
    }

    /**
     * Returns a copy with or without comparison of calls. With comparison, the ranks compare their calls before each
     * launch and refuse different calls on every rank; each launch costs a round of control messages. Point-to-point
     * calls and accesses to windows, which only some ranks launch, are not compared. Must be equal on all ranks;
     * children of the communicator inherit it. Without this, {@code MSCCLJ_CHECK} decides: the ranks compare if it is
     * 1.
     */
    public LocalGroupOptions compareCalls(boolean compare) {
        return with(shared.withCompareCalls(compare));
    }

    /**
     * Returns a copy with a flight recorder that keeps the last {@code entries} launches of a rank, and an equal number
     * of sends and receives, for messages about faults and for dumps; 0 turns it off. Recording does not change
     * launches. Children of the communicator inherit the number. Without this, the number is the system property
     * {@code mscclj.recorder.entries}, or else {@code MSCCLJ_RECORDER_ENTRIES}, else 2,000. Memory for all entries is
     * allocated when the communicator opens, and recordings hold all of them.
     *
     * @throws InvalidArgumentException if it is negative, or more than
     *     {@value CommunicatorOptions#MAX_RECORDER_ENTRIES}
     */
    public LocalGroupOptions recorderEntries(int entries) {
        return with(shared.withRecorderEntries(entries));
    }

    /**
     * Returns a copy with classes of calls that the ranks set up when they open the communicator. Opening then takes
     * longer, and the first call of these classes causes no traffic between ranks. Must be equal on all ranks; children
     * of the communicator inherit it. Without this, nothing is set up before it is used.
     *
     * @param classes the classes, in any order that is equal on all ranks
     */
    public LocalGroupOptions warmUp(List<WarmUp> classes) {
        return with(shared.withWarmUp(classes));
    }

    /**
     * Returns a copy that follows the measured choices of a file; children of the communicator follow those for their
     * number of ranks. The file is read once, when the communicator opens. Without this, {@code MSCCLJ_TUNING} names
     * the file; without both, the choices are those for the kind of device.
     *
     * @param file a file that {@code mscclj tune} or {@link org.mscclj.api.tuning.TuningEntry#save} has written, or an
     *     empty path to follow none, also if {@code MSCCLJ_TUNING} is set
     */
    public LocalGroupOptions tuning(Path file) {
        return with(shared.withTuning(file));
    }

    private LocalGroupOptions with(SharedOptions changed) {
        return new LocalGroupOptions(ranks, ranksPerNode, devices, changed);
    }

    /** Number of ranks. */
    public int ranks() {
        return ranks;
    }

    /** Ranks on each node. */
    public int ranksPerNode() {
        return ranksPerNode;
    }

    /** The device of each rank; empty if the ranks take all devices round-robin. */
    public List<Integer> devices() {
        return devices;
    }

    /** The backend's name; empty for the best available one. */
    public Optional<String> backend() {
        return shared.backend();
    }

    /** Default timeout. */
    public Duration timeout() {
        return shared.timeout();
    }

    /** The group's name. */
    public String name() {
        return shared.name();
    }

    /** The treatment of plans that are not proved; empty for the setting of the environment. */
    public Optional<PlanVerification> planVerification() {
        return shared.verification();
    }

    /** The hints for the communicators. */
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
}
