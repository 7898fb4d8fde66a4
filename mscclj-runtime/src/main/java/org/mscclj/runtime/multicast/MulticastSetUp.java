package org.mscclj.runtime.multicast;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.Plan;
import org.mscclj.plan.SwitchGroup;
import org.mscclj.runtime.control.Message;
import org.mscclj.runtime.control.Wire;
import org.mscclj.runtime.provider.ProviderCode;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.MemoryNeeds;
import org.mscclj.spi.multicast.MulticastGroup;
import org.mscclj.spi.multicast.MulticastProvider;

/**
 * One rank's part in setting up the multicast groups of a plan. Each step returns a contribution, which the caller
 * exchanges together with other data: {@link #describe}, {@link #join}, {@link #bind}. All ranks pass what they have
 * gathered to {@link #agreeOnGroups}, and after later steps to {@link #agree}.
 *
 * <p>A step does not throw what the provider throws: the failure is the contribution, so that all ranks close their
 * groups and emulate multicast. Then nothing is exchanged any more, and no switch channel has an address.
 */
public final class MulticastSetUp implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(MulticastSetUp.class.getName());

    private final Plan plan;
    private final int rank;
    private final BackendDevice device;
    private final Duration limit;
    private final Supplier<List<MulticastProvider>> providers;
    private final List<MulticastTeam> teams;
    private final Map<MulticastTeam, byte[]> descriptors = new HashMap<>();
    private final Map<MulticastTeam, MulticastGroup> groups = new LinkedHashMap<>();
    private final Map<MulticastTeam, Long> addresses = new HashMap<>();
    private Optional<MulticastProvider> provider = Optional.empty();

    /** Whether this rank is in a team, and a provider is installed and turned on. */
    private boolean isTurnedOn;

    private MemoryNeeds needs = MemoryNeeds.NONE;
    private String refusal = "";
    private ToLongFunction<BufferType> sizes = _ -> 0;
    private final Map<BufferType, Long> leads = new EnumMap<>(BufferType.class);
    private boolean goingOn;

    /**
     * Creates the part of a rank. Calls no provider.
     *
     * @param buffers the buffers for which groups are wanted
     * @param timeout how long other ranks wait for this one; a call of the provider takes half of it at most
     * @param providers returns the providers that can be used here, best first
     */
    public MulticastSetUp(
            Plan plan,
            int rank,
            Set<BufferType> buffers,
            BackendDevice device,
            Duration timeout,
            Supplier<List<MulticastProvider>> providers) {
        this.plan = plan;
        this.rank = rank;
        this.device = device;
        this.limit = timeout.dividedBy(2);
        this.providers = providers;
        this.teams = MulticastTeam.of(plan, buffers);
        this.goingOn = !teams.isEmpty();
    }

    /** Returns whether a set-up would find a provider for a device. */
    public static boolean canUse(BackendDevice device, List<MulticastProvider> providers) {
        return needs(device, providers).isPresent();
    }

    /**
     * Returns what memory of a device needs at its allocation, so that it can be bound later: what the provider needs
     * that a set-up chooses. Nothing if none can be used.
     */
    public static MemoryNeeds needsOfMemory(BackendDevice device, List<MulticastProvider> providers) {
        return needs(device, providers).orElse(MemoryNeeds.NONE);
    }

    private static Optional<MemoryNeeds> needs(BackendDevice device, List<MulticastProvider> providers) {
        try {
            return providers.stream()
                    .filter(one -> one.obstacle(device).isEmpty())
                    .findFirst()
                    .map(one -> one.memoryNeeds(device));
        } catch (RuntimeException e) { // set-ups meet it too, and report it
            LOGGER.log(Level.DEBUG, "multicast is refused here", e);
            return Optional.empty();
        }
    }

    /** Returns whether ranks have steps to take; equal on all ranks after each agreement. */
    public boolean isGoingOn() {
        return goingOn;
    }

    /** Chooses the provider. Returns what this rank's memory needs at its allocation, so that it can be bound. */
    public MemoryNeeds memoryNeeds() {
        if (teams.stream().anyMatch(this::isMember)) {
            refusal = attempt(() -> {
                MulticastProvider chosen = choose();
                needs = chosen.memoryNeeds(device);
                provider = Optional.of(chosen);
            });
        }
        return needs;
    }

    private MulticastProvider choose() {
        List<String> obstacles = new ArrayList<>();
        for (MulticastProvider one : providers.get()) {
            isTurnedOn = true;
            Optional<String> obstacle = one.obstacle(device);
            if (obstacle.isEmpty()) {
                return one;
            }
            obstacles.add(one.name() + ": " + obstacle.get());
        }
        throw new UnsupportedException(
                obstacles.isEmpty()
                        ? "no provider of multicast is installed and turned on"
                        : String.join("; ", obstacles));
    }

    /**
     * Creates the groups of which this rank is the first member.
     *
     * @param bytes returns the most bytes of a buffer over all ranks; equal on all ranks
     * @param buffers returns this rank's memory
     */
    public byte[] describe(ToLongFunction<BufferType> bytes, Function<BufferType, DeviceBuffer> buffers) {
        sizes = buffer -> Math.addExact(leads.getOrDefault(buffer, 0L), bytes.applyAsLong(buffer));
        if (!goingOn) {
            return new byte[0];
        }
        List<byte[]> created = new ArrayList<>();
        if (refusal.isEmpty()) {
            provider.ifPresent(source -> refusal = attempt(() -> {
                teams.stream()
                        .flatMap(team -> team.buffers().stream())
                        .forEach(buffer -> leads.put(buffer, source.lead(device, buffers.apply(buffer))));
                for (MulticastTeam team : teams) {
                    if (team.creator() == rank) {
                        MulticastGroup group = ProviderCode.open(
                                source,
                                () -> source.create(device, team.members().size(), team.bytes(needs, sizes), limit));
                        groups.put(team, group);
                        created.add(group.descriptor());
                    }
                }
            }));
        }
        GroupOffer offer = provider.map(
                        source -> new GroupOffer(refusal, source.name(), needs, List.copyOf(leads.values()), created))
                .orElseGet(() -> GroupOffer.refused(refusal));
        return (refusal.isEmpty() ? offer : GroupOffer.refused(refusal)).encode();
    }

    /** Learns which groups other ranks have created, or that there will be none. */
    public void agreeOnGroups(List<Message> described) {
        if (!goingOn) {
            return;
        }
        List<GroupOffer> offers = Wire.decodeAll(described, GroupOffer.class, GroupOffer::decode);
        List<String> refusals =
                new ArrayList<>(offers.stream().map(GroupOffer::refusal).toList());
        for (MulticastTeam team : teams) {
            GroupOffer first = offers.get(team.creator());
            for (int member : team.members()) {
                GroupOffer offer = offers.get(member);
                if (refusals.get(member).isEmpty()
                        && first.refusal().isEmpty()
                        && !(offer.provider().equals(first.provider())
                                && offer.needs().equals(first.needs())
                                && offer.leads().equals(first.leads()))) {
                    refusals.set(member, offer.memory() + ", where rank " + team.creator() + " has " + first.memory());
                }
            }
        }
        agreeOnRefusals(refusals);
        if (goingOn) {
            int[] next = new int[offers.size()];
            for (MulticastTeam team : teams) {
                descriptors.put(team, offers.get(team.creator()).descriptors().get(next[team.creator()]++));
            }
        }
    }

    /** Opens the groups that other ranks have created, and joins all groups. */
    public byte[] join() {
        return step(source -> {
            for (MulticastTeam team : teams) {
                if (isMember(team)) {
                    groups.computeIfAbsent(
                                    team,
                                    _ -> ProviderCode.open(
                                            source, () -> source.open(device, of(descriptors, team), limit)))
                            .join();
                }
            }
        });
    }

    /**
     * Binds memory to all groups, after all ranks have joined.
     *
     * @param buffers returns this rank's memory
     */
    public byte[] bind(Function<BufferType, DeviceBuffer> buffers) {
        return step(_ -> groups.forEach((team, group) -> addresses.put(
                team,
                group.bind(team.buffers().stream()
                        .map(buffer ->
                                new MulticastGroup.Binding(buffers.apply(buffer), team.offset(buffer, needs, sizes)))
                        .toList()))));
    }

    /** Learns whether all ranks have taken a step. */
    public void agree(List<Message> steps) {
        if (goingOn) {
            agreeOnRefusals(steps.stream()
                    .map(one -> Wire.decode(one.bytes(), in -> in.readUTF()))
                    .toList());
        }
    }

    /** Returns the multicast address of each switch channel of this rank, by channel id; empty where there is none. */
    public List<OptionalLong> addresses() {
        return plan.ranks().get(rank).switchGroups().stream().map(this::address).toList();
    }

    private OptionalLong address(SwitchGroup channel) {
        return goingOn
                ? teams.stream()
                        .filter(team -> team.serves(channel))
                        .mapToLong(team -> of(addresses, team)
                                + team.offset(channel.buffer(), needs, sizes)
                                + leads.getOrDefault(channel.buffer(), 0L))
                        .findFirst()
                : OptionalLong.empty();
    }

    private static <T> T of(Map<MulticastTeam, T> all, MulticastTeam team) {
        return Objects.requireNonNull(all.get(team), "of an earlier step");
    }

    private boolean isMember(MulticastTeam team) {
        return team.members().contains(rank);
    }

    /** Takes a step, if the set-up is going on, and returns this rank's contribution to the agreement. */
    private byte[] step(Consumer<MulticastProvider> action) {
        if (!goingOn) {
            return new byte[0];
        }
        String failure =
                provider.map(source -> attempt(() -> action.accept(source))).orElse("");
        return Wire.encode(out -> Wire.writeText(out, failure));
    }

    /** Calls a provider. Returns why that has failed; empty if it has not. */
    private static String attempt(Runnable action) {
        try {
            action.run();
            return "";
        } catch (RuntimeException e) { // whatever it is: multicast is emulated then
            LOGGER.log(Level.DEBUG, "multicast is refused here", e);
            return Optional.ofNullable(e.getMessage())
                    .filter(text -> !text.isEmpty())
                    .orElse(e.toString());
        }
    }

    private void agreeOnRefusals(List<String> refusals) {
        List<String> reasons = new ArrayList<>();
        for (int one = 0; one < refusals.size(); one++) {
            if (!refusals.get(one).isEmpty()) {
                reasons.add("rank " + one + ": " + refusals.get(one));
            }
        }
        if (!reasons.isEmpty()) {
            goingOn = false;
            attempt(this::close);
            LOGGER.log(
                    isTurnedOn ? Level.INFO : Level.DEBUG,
                    () -> "plan " + plan.label() + ": switch channels are emulated over mapped memory; "
                            + String.join("; ", reasons));
        }
    }

    /** Leaves all groups. */
    @Override
    public void close() {
        List<MulticastGroup> all = List.copyOf(groups.values());
        groups.clear();
        Resources.close(all);
    }
}
