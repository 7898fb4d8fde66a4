package org.mscclj.spi.network;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The user's choice of the network between ranks.
 *
 * @param interfaces names of interfaces, the preferred one first; empty for all that lead to other hosts
 * @param version of the Internet protocol, 4 or 6; empty for any, 4 first
 * @param prefix of addresses; empty for any
 */
record NetworkChoice(List<String> interfaces, Optional<Integer> version, Optional<Prefix> prefix) {
    /** Names of interfaces, with commas. */
    static final String INTERFACE = "MSCCLJ_INTERFACE";

    /** {@code ipv4} or {@code ipv6}. */
    static final String FAMILY = "MSCCLJ_ADDRESS_FAMILY";

    /** A prefix, as {@code 10.1.0.0/16}. */
    static final String NETWORK = "MSCCLJ_NETWORK";

    private static final int IPV4 = 4;
    private static final int IPV6 = 6;

    /** Copies the list. */
    NetworkChoice {
        interfaces = List.copyOf(interfaces);
    }

    /**
     * Reads the choice from the environment.
     *
     * @throws InvalidArgumentException if a variable has a bad value
     */
    static NetworkChoice of(Map<String, String> environment) {
        return new NetworkChoice(
                Stream.of(text(environment, INTERFACE).split(","))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList(),
                version(text(environment, FAMILY)),
                Optional.of(text(environment, NETWORK))
                        .filter(text -> !text.isEmpty())
                        .map(Prefix::parse));
    }

    private static String text(Map<String, String> environment, String name) {
        return environment.getOrDefault(name, "").strip();
    }

    private static Optional<Integer> version(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "" -> Optional.empty();
            case "ipv4" -> Optional.of(IPV4);
            case "ipv6" -> Optional.of(IPV6);
            default -> throw InvalidArgumentException.of(FAMILY, text, "ipv4 or ipv6");
        };
    }

    boolean isEmpty() {
        return interfaces.isEmpty() && version.isEmpty() && prefix.isEmpty();
    }

    /** Whether the choice allows an address, apart from its interface. */
    boolean allows(InetAddress address) {
        int own = address instanceof Inet4Address ? IPV4 : IPV6;
        return version.map(wanted -> wanted == own).orElse(true)
                && prefix.map(wanted -> wanted.contains(address)).orElse(true);
    }

    @Override
    public String toString() {
        return INTERFACE + "=" + String.join(",", interfaces) + ", " + FAMILY + "="
                + version.map(number -> "ipv" + number).orElse("") + ", " + NETWORK + "="
                + prefix.map(Prefix::toString).orElse("");
    }

    /**
     * Addresses with a common prefix.
     *
     * @param address the first
     * @param bits number of equal bits
     */
    record Prefix(InetAddress address, int bits) {
        static Prefix parse(String text) {
            int slash = text.indexOf('/');
            try {
                InetAddress address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
                int all = address.getAddress().length * Byte.SIZE;
                int bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
                if (bits >= 0 && bits <= all) {
                    return new Prefix(address, bits);
                }
            } catch (IllegalArgumentException e) {
                throw new InvalidArgumentException(NETWORK + " is " + text + "; allowed: a prefix as 10.1.0.0/16", e);
            }
            throw InvalidArgumentException.of(NETWORK, text, "a prefix as 10.1.0.0/16, of at most 32 or 128 bits");
        }

        boolean contains(InetAddress other) {
            byte[] own = address.getAddress();
            byte[] bytes = other.getAddress();
            if (own.length != bytes.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % Byte.SIZE;
                if ((own[bit / Byte.SIZE] & mask) != (bytes[bit / Byte.SIZE] & mask)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return address.getHostAddress() + "/" + bits;
        }
    }
}
