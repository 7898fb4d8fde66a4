package org.mscclj.spi.network;

import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * How soon a connection breaks if the other host has lost power or its network: such a host sends nothing, so a
 * connection without traffic would stay open for ever. The operating system of a host answers TCP keep-alives, so a
 * process that is stopped or busy does not break a connection. Where data waits for an acknowledgement, the system
 * sends that data again instead, and its own limit holds: about 15 minutes on Linux.
 *
 * @param seconds the limit of silence, in seconds
 */
public record KeepAlive(int seconds) {
    /** The environment variable that sets the limit. */
    public static final String VARIABLE = "MSCCLJ_KEEPALIVE_SECONDS";

    /** Minimum limit, in seconds: one of silence, and one for each probe. */
    public static final int MIN_SECONDS = 4;

    /** Maximum limit, in seconds. */
    public static final int MAX_SECONDS = 7200;

    /** Used if the environment sets no limit. */
    public static final KeepAlive DEFAULT = new KeepAlive(11);

    private static final int PROBES = 3;
    /** Of five equal parts of the limit, about two pass before the first probe. */
    private static final int PARTS = 5;

    /**
     * Checks the limit.
     *
     * @throws InvalidArgumentException if it is not allowed
     */
    public KeepAlive {
        if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
            throw refused(Integer.toString(seconds));
        }
    }

    /**
     * Reads the limit from the environment.
     *
     * @throws InvalidArgumentException if the variable has a bad value
     */
    public static KeepAlive of(Map<String, String> environment) {
        String wanted = environment.getOrDefault(VARIABLE, "").strip();
        if (wanted.isEmpty()) {
            return DEFAULT;
        }
        try {
            return new KeepAlive(Integer.parseInt(wanted));
        } catch (NumberFormatException _) {
            throw refused(wanted);
        }
    }

    /** Reads the limit from the environment of this process. */
    public static KeepAlive ofProcess() {
        return of(System.getenv());
    }

    private static InvalidArgumentException refused(String given) {
        return InvalidArgumentException.of(VARIABLE, given, MIN_SECONDS + " to " + MAX_SECONDS);
    }

    /** The seconds between two probes. */
    int interval() {
        return Math.max(1, seconds / PARTS);
    }

    /** The seconds of silence before the first probe. */
    int idle() {
        return seconds - PROBES * interval();
    }

    /**
     * Makes a connection break after the limit. A system that cannot set the times uses its own, which are hours on
     * most.
     *
     * @throws IOException if the socket is closed
     */
    public void apply(Socket socket) throws IOException {
        socket.setKeepAlive(true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, idle());
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, interval());
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        }
    }
}
