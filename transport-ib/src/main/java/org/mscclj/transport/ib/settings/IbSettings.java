package org.mscclj.transport.ib.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.option.Flag;

/**
 * Settings of the transport. Ranks may have different adapters, GIDs and partitions; the other settings should be
 * equal.
 *
 * @param ports the ports that may be used, the preferred one first; empty for all
 * @param gidIndex the entry of the table of GIDs that names this side; empty to choose one
 * @param serviceLevel from 0 to 15
 * @param trafficClass from 0 to 255
 * @param partition the partition key, 16 bits; empty for the first one of the port
 * @param rails the most ports that a rank uses at once
 * @param queuePairs queue pairs of each connection and rail
 * @param timeout the code of the time after which a packet is sent again: 4.096 µs times 2 to this power
 * @param retries how often it is sent again
 * @param atomics whether signals are atomic operations of the adapter where both adapters have them
 * @param gpuMemory whether memory of GPUs is registered where the adapter can do that
 */
public record IbSettings(
        List<PortName> ports,
        OptionalInt gidIndex,
        int serviceLevel,
        int trafficClass,
        OptionalInt partition,
        int rails,
        int queuePairs,
        int timeout,
        int retries,
        boolean atomics,
        boolean gpuMemory) {
    /** The variable that names the ports that may be used. */
    public static final String DEVICES = "MSCCLJ_HCA_DEVICES";

    /** The variable that names the GID. */
    public static final String GID_INDEX = "MSCCLJ_IB_GID_INDEX";

    /** The variable that names the partition key. */
    public static final String PARTITION = "MSCCLJ_IB_PARTITION";

    private static final String DEVICES_OF_MSCCLPP = "MSCCLPP_HCA_DEVICES";
    private static final String GID_INDEX_OF_MSCCLPP = "MSCCLPP_IB_GID_INDEX";
    private static final String SERVICE_LEVEL = "MSCCLJ_IB_SERVICE_LEVEL";
    private static final String TRAFFIC_CLASS = "MSCCLJ_IB_TRAFFIC_CLASS";
    private static final String RAILS = "MSCCLJ_IB_RAILS";
    private static final String QUEUE_PAIRS = "MSCCLJ_IB_QUEUE_PAIRS";
    private static final String TIMEOUT = "MSCCLJ_IB_TIMEOUT";
    private static final String RETRIES = "MSCCLJ_IB_RETRIES";
    private static final String ATOMICS = "MSCCLJ_IB_ATOMICS";
    private static final String GPU_MEMORY = "MSCCLJ_IB_GPU_MEMORY";

    private static final int MAX_GID_INDEX = 255;
    private static final int MAX_SERVICE_LEVEL = 15;
    private static final int MAX_TRAFFIC_CLASS = 255;
    private static final int MAX_RAILS = 8;
    private static final int MAX_QUEUE_PAIRS = 16;
    private static final int MAX_TIMEOUT = 31;
    private static final int MAX_RETRIES = 7;
    private static final int MAX_PARTITION = 0xffff;

    /** 0.54 s for each of seven attempts: 3.8 s until a peer is lost. */
    private static final int DEFAULT_TIMEOUT = 17;

    /** Not 7, with which soft-RoCE retries without end. */
    private static final int DEFAULT_RETRIES = 6;

    /** All ports, one rail, one queue pair. */
    public static final IbSettings DEFAULTS = of(Map.of());

    /** Copies the list. */
    public IbSettings {
        ports = List.copyOf(ports);
    }

    /**
     * A port in a list of ports.
     *
     * @param adapter the name of its adapter, for example {@code mlx5_0}
     * @param port its number; empty for all ports of the adapter
     */
    public record PortName(String adapter, OptionalInt port) {
        /** Whether this names a port of an adapter. */
        public boolean matches(String name, int number) {
            return adapter.equals(name) && port.orElse(number) == number;
        }
    }

    /**
     * Reads the environment variables.
     *
     * @throws InvalidArgumentException if the value of one is invalid; the message names it
     */
    public static IbSettings of(Map<String, String> environment) {
        return new IbSettings(
                ports(environment),
                number(environment, first(environment, GID_INDEX, GID_INDEX_OF_MSCCLPP), 0, MAX_GID_INDEX),
                number(environment, SERVICE_LEVEL, 0, MAX_SERVICE_LEVEL).orElse(0),
                number(environment, TRAFFIC_CLASS, 0, MAX_TRAFFIC_CLASS).orElse(0),
                number(environment, PARTITION, 1, MAX_PARTITION),
                number(environment, RAILS, 1, MAX_RAILS).orElse(1),
                number(environment, QUEUE_PAIRS, 1, MAX_QUEUE_PAIRS).orElse(1),
                number(environment, TIMEOUT, 1, MAX_TIMEOUT).orElse(DEFAULT_TIMEOUT),
                number(environment, RETRIES, 0, MAX_RETRIES).orElse(DEFAULT_RETRIES),
                Flag.of(environment, ATOMICS, true),
                Flag.of(environment, GPU_MEMORY, true));
    }

    /** Returns the name that is set; the first one if none is. */
    private static String first(Map<String, String> environment, String... names) {
        return Arrays.stream(names)
                .filter(name -> !environment.getOrDefault(name, "").isBlank())
                .findFirst()
                .orElse(names[0]);
    }

    private static List<PortName> ports(Map<String, String> environment) {
        String variable = first(environment, DEVICES, DEVICES_OF_MSCCLPP);
        List<PortName> ports = new ArrayList<>();
        for (String part : environment.getOrDefault(variable, "").split(",", -1)) {
            String name = part.strip();
            if (name.isEmpty()) {
                continue;
            }
            int colon = name.indexOf(':');
            ports.add(
                    colon < 0
                            ? new PortName(name, OptionalInt.empty())
                            : new PortName(
                                    name.substring(0, colon),
                                    OptionalInt.of(number(variable, name.substring(colon + 1), 1, MAX_GID_INDEX))));
        }
        return ports;
    }

    private static OptionalInt number(Map<String, String> environment, String variable, int least, int most) {
        String text = environment.getOrDefault(variable, "").strip();
        return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(number(variable, text, least, most));
    }

    private static int number(String variable, String text, int least, int most) {
        try {
            int value = Integer.decode(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(variable + " is " + text + "; allowed: " + least + " to " + most, e);
        }
        throw InvalidArgumentException.of(variable, text, least + " to " + most);
    }
}
