package org.mscclj.spi.protection;

import java.net.InetAddress;
import java.util.Map;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Which connections between ranks are sealed by keys that follow from the group's secret: authenticated and encrypted
 * by AES-GCM, so that nobody on the way can change or read anything. A group without a secret has no such keys.
 */
public enum WireProtection {
    /** Connections between hosts. The default, unless the environment asks for TLS. */
    HOSTS(0),
    /**
     * All connections. The default if the environment asks for TLS: then what TLS does not carry is sealed, by keys
     * that it has carried.
     */
    ALL(1),
    /** None: for networks that nobody else can reach. */
    NONE(2);

    /** The environment variable that chooses. */
    public static final String VARIABLE = "MSCCLJ_PROTECTION";

    private static final String TLS = "MSCCLJ_TLS_KEY_STORE";

    private final int code;

    WireProtection(int code) {
        this.code = code;
    }

    /**
     * What the environment says.
     *
     * @throws InvalidArgumentException if it cannot be understood
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

    /** What the environment of this process says. */
    public static WireProtection ofProcess() {
        return of(System.getenv());
    }

    /** How ranks tell each other. */
    public int code() {
        return code;
    }

    /**
     * Whether a connection is to be sealed. Both ends answer alike, unless addresses are translated between them.
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
