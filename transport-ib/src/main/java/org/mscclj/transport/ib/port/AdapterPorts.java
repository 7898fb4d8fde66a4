package org.mscclj.transport.ib.port;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mscclj.api.error.MsccljException;
import org.mscclj.transport.ib.ffm.Adapter;
import org.mscclj.transport.ib.ffm.PortAttributes;
import org.mscclj.transport.ib.ffm.VerbsLibrary;
import org.mscclj.transport.ib.port.GidChoice.Entry;
import org.mscclj.transport.ib.settings.IbSettings;

/**
 * The ports of this machine.
 *
 * @param usable those that can be used, in the order of the settings, or that of the library
 * @param refused why each of the others cannot be used
 */
public record AdapterPorts(List<Port> usable, List<String> refused) {
    /** Copies the lists. */
    public AdapterPorts {
        usable = List.copyOf(usable);
        refused = List.copyOf(refused);
    }

    /** Returns the ports that the settings permit. Opens each adapter for a moment. */
    public static AdapterPorts find(VerbsLibrary library, IbSettings settings) {
        List<Port> usable = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (String name : Adapter.names(library)) {
            try (Adapter adapter = Adapter.open(library, name)) {
                for (int number = 1; number <= adapter.attributes().ports(); number++) {
                    if (isPermitted(settings, name, number)) {
                        look(adapter, number, settings, usable, refused);
                    }
                }
            } catch (MsccljException e) {
                refused.add(name + ": " + e.getMessage());
            }
        }
        settings.ports().stream()
                .filter(wanted -> usable.stream().noneMatch(port -> wanted.matches(port.adapter(), port.number())))
                .filter(wanted -> refused.stream().noneMatch(text -> text.startsWith(wanted.adapter() + ":")))
                .forEach(wanted -> refused.add(wanted.adapter() + ": there is no such port"));
        usable.sort(Comparator.comparingInt(port -> wish(settings, port)));
        return new AdapterPorts(usable, refused);
    }

    private static boolean isPermitted(IbSettings settings, String adapter, int port) {
        return settings.ports().isEmpty()
                || settings.ports().stream().anyMatch(wanted -> wanted.matches(adapter, port));
    }

    private static int wish(IbSettings settings, Port port) {
        for (int i = 0; i < settings.ports().size(); i++) {
            if (settings.ports().get(i).matches(port.adapter(), port.number())) {
                return i;
            }
        }
        return 0;
    }

    private static void look(
            Adapter adapter, int number, IbSettings settings, List<Port> usable, List<String> refused) {
        PortAttributes attributes = adapter.port(number);
        String name = adapter.name() + ":" + number;
        if (!attributes.isActive()) {
            refused.add(name + " is " + attributes.stateName());
            return;
        }
        Optional<Entry> gid = gid(adapter, number, attributes, settings);
        if (gid.isEmpty()) {
            refused.add(name + " has no GID"
                    + (settings.gidIndex().isPresent()
                            ? " " + settings.gidIndex().getAsInt() + ", which " + IbSettings.GID_INDEX + " names"
                            : attributes.ethernet() ? "; give its network interface an IPv4 address" : ""));
            return;
        }
        OptionalInt partition = partition(adapter, number, attributes, settings);
        if (partition.isEmpty()) {
            refused.add(name + " has no partition key "
                    + Integer.toHexString(settings.partition().orElse(0)) + ", which " + IbSettings.PARTITION
                    + " names");
            return;
        }
        usable.add(new Port(
                adapter.name(),
                number,
                attributes,
                gid.get().index(),
                gid.get().gid(),
                partition.getAsInt(),
                Sysfs.OF_MACHINE.device(adapter.name()).map(Sysfs::numaNode).orElse(OptionalInt.empty())));
    }

    private static Optional<Entry> gid(Adapter adapter, int number, PortAttributes attributes, IbSettings settings) {
        if (settings.gidIndex().isPresent() || !attributes.ethernet()) {
            int index = settings.gidIndex().orElse(0);
            return adapter.gid(number, index).map(gid -> new Entry(index, gid));
        }
        return GidChoice.best(
                attributes.gids(),
                index -> adapter.gid(number, index),
                index -> Sysfs.OF_MACHINE.gidType(adapter.name(), number, index));
    }

    /**
     * Returns the entry of the wished partition key. The uppermost bit tells full members only, and is not compared.
     */
    private static OptionalInt partition(Adapter adapter, int number, PortAttributes attributes, IbSettings settings) {
        if (settings.partition().isEmpty()) {
            return OptionalInt.of(0);
        }
        int wanted = settings.partition().getAsInt() & MEMBERSHIP_FREE;
        for (int i = 0; i < attributes.partitions(); i++) {
            if ((adapter.partition(number, i) & MEMBERSHIP_FREE) == wanted) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    private static final int MEMBERSHIP_FREE = 0x7fff;

    /**
     * Returns the ports that a device uses: the nearest ones. Devices that are equally near to several ports take them
     * in turn.
     *
     * @param bus the address of the device on the PCI bus; empty for the CPU
     * @param ordinal the number of the device on this machine
     * @param most the most ports
     */
    public List<Port> nearest(Optional<String> bus, int ordinal, int most) {
        if (usable.isEmpty()) {
            return List.of();
        }
        Optional<Path> device = bus.flatMap(Sysfs.OF_MACHINE::pciDevice);
        List<Port> turned = new ArrayList<>();
        for (int i = 0; i < usable.size(); i++) {
            turned.add(usable.get((i + ordinal * most) % usable.size()));
        }
        return turned.stream()
                .sorted(Comparator.comparingInt((Port port) ->
                        device.map(place -> -closeness(place, port)).orElse(0)))
                .limit(most)
                .toList();
    }

    /** Returns the number of bridges that lead to both; devices of one NUMA node are nearer than others. */
    private static int closeness(Path device, Port port) {
        Optional<Path> place = Sysfs.OF_MACHINE.device(port.adapter());
        if (place.isEmpty()) {
            return 0;
        }
        int shared = 0;
        int shorter = Math.min(device.getNameCount(), place.get().getNameCount());
        while (shared < shorter && device.getName(shared).equals(place.get().getName(shared))) {
            shared++;
        }
        OptionalInt node = Sysfs.numaNode(device);
        boolean sameNode = node.isPresent() && node.equals(port.numaNode());
        return 2 * shared + (sameNode ? 1 : 0);
    }
}
