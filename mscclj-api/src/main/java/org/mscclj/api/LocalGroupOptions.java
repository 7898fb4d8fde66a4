package org.mscclj.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.api.check.GivenList;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Hints;
import org.mscclj.api.option.KnownHint;
import org.mscclj.api.plan.PlanVerification;

/** How a {@link LocalGroup} is opened. Immutable; start from {@link #ranks} and refine. */
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
     * Options for the given number of ranks: the best available backend, one node, and the timeout that
     * {@code MSCCLJ_TIMEOUT_SECONDS}, or else {@code TORCHCOMM_TIMEOUT_SECONDS}, says: 600 seconds if neither is set.
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
     * With ranks treated as if on different nodes, {@code ranksPerNode} on each: between nodes no memory is mapped, and
     * port channels take a transport that leaves the node. It is part of what plans are selected by.
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
     * With a device for each rank, by its number: as {@link org.mscclj.api.device.Device#index} tells it, which on GPUs
     * counts those that {@code CUDA_VISIBLE_DEVICES} leaves. Ranks may share one. Without this, ranks take all devices
     * by turns. Opening a group refuses devices that are not there.
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

    /** With the backend of the given name. */
    public LocalGroupOptions backend(String backend) {
        return with(shared.withBackend(backend));
    }

    /**
     * With the given default timeout, for set-up and for {@link Work#join()}.
     *
     * @throws InvalidArgumentException if it is not positive
     */
    public LocalGroupOptions timeout(Duration timeout) {
        return with(shared.withTimeout(timeout));
    }

    /** With the given name, which appears in messages. */
    public LocalGroupOptions name(String name) {
        return with(shared.withName(name));
    }

    /**
     * With the given treatment of plans that are not proved; without this, what {@value PlanVerification#VARIABLE}
     * says, else off.
     */
    public LocalGroupOptions verifyPlans(PlanVerification verification) {
        return with(shared.withVerification(verification));
    }

    /**
     * With one more hint; see {@link KnownHint}.
     *
     * @throws InvalidArgumentException if the key is blank
     */
    public LocalGroupOptions hint(String key, String value) {
        return hints(shared.hints().with(key, value));
    }

    /** With these hints instead of the ones before. */
    public LocalGroupOptions hints(Hints hints) {
        return with(shared.withHints(hints));
    }

    /**
     * With or without strictness: strict communicators refuse hints that mean nothing to them, or that have a value
     * which is not allowed, others log them once and go on without. Without this, what {@code MSCCLJ_STRICT_HINTS}
     * says: strict if it is 1.
     */
    public LocalGroupOptions strictHints(boolean strict) {
        return with(shared.withStrictHints(strict));
    }

    /**
     * With or without comparison: ranks that compare what they call, before each launch, refuse different calls on
     * every rank, and each launch costs a round of control messages. Messages and accesses to windows, which only some
     * ranks launch, are not compared. Equal on all ranks; children of the communicator do as it does. Without this,
     * what {@code MSCCLJ_CHECK} says: they compare if it is 1.
     */
    public LocalGroupOptions compareCalls(boolean compare) {
        return with(shared.withCompareCalls(compare));
    }

    /**
     * With a flight recorder that keeps the last {@code entries} launches of a rank, and as many messages, for messages
     * about faults and for dumps; 0 turns it off. Recording changes nothing about what is launched. Children of the
     * communicator do as it does. Without this, what the system property {@code mscclj.recorder.entries} or else
     * {@code MSCCLJ_RECORDER_ENTRIES} says, else 2,000. Memory is taken for all entries when the communicator opens,
     * and recordings hold them all.
     *
     * @throws InvalidArgumentException if it is negative, or more than
     *     {@value CommunicatorOptions#MOST_RECORDER_ENTRIES}
     */
    public LocalGroupOptions recorderEntries(int entries) {
        return with(shared.withRecorderEntries(entries));
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

    /** The device of each rank; empty if they take them by turns. */
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

    /** What becomes of plans that are not proved; empty for what the environment says. */
    public Optional<PlanVerification> planVerification() {
        return shared.verification();
    }

    /** Wishes for the communicators. */
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
}
