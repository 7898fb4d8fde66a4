package org.mscclj.spi.protection;

import java.net.InetAddress;
import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The connections between ranks that are sealed by keys derived from the group's secret: authenticated and encrypted by
 * AES-GCM, so that no process on the network path can change or read data. A group without a secret has no such keys.
 */
public enum WireProtection {
    /** Connections between hosts. The default, unless the environment asks for TLS. */
    HOSTS(0),
    /**
     * All connections. The default if the environment asks for TLS: then connections that do not use TLS are sealed, by
     * keys that were exchanged over TLS.
     */
    ALL(1),
    /** No connection: for networks that no other party can reach. */
    NONE(2);

    /** The environment variable that sets the protection. */
    public static final String VARIABLE = "MSCCLJ_PROTECTION";

    private static final String TLS = "MSCCLJ_TLS_KEY_STORE";

    private final int code;

    WireProtection(int code) {
        this.code = code;
    }

    /**
     * Reads the protection from the environment.
     *
     * @throws InvalidArgumentException if the variable has a bad value
     */
    public static WireProtection of(Map<String, String> environment) {
        String wanted = environment.getOrDefault(VARIABLE, "").strip();
        return switch (wanted) {
            case "" -> environment.getOrDefault(TLS, "").isBlank() ? HOSTS : ALL;
            case "hosts" -> HOSTS;
            case "all" -> ALL;
            case "none" -> NONE;
            default -> throw InvalidArgumentException.of(VARIABLE, wanted, "hosts, all or none");
        };
    }

    /** Reads the protection from the environment of this process. */
    public static WireProtection ofProcess() {
        return of(System.getenv());
    }

    /** The code by which ranks exchange this value. */
    public int code() {
        return code;
    }

    /**
     * Whether a connection is sealed. Both ends get one result, unless addresses are translated between them.
     *
     * @param local this end's address
     * @param remote the other end's address
     */
    public boolean seals(InetAddress local, InetAddress remote) {
        return switch (this) {
            case ALL -> true;
            case NONE -> false;
            case HOSTS -> !remote.isLoopbackAddress() && !remote.equals(local);
        };
    }
}
