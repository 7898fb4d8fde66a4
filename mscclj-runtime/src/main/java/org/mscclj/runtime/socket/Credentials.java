package org.mscclj.runtime.socket;

import java.time.Duration;

/**
 * Data by which a rank proves itself and verifies its peers.
 *
 * @param handshake identity of the rank, and the group's secret
 * @param security encryption
 * @param handshakeLimit maximum time in which a peer must prove that it belongs to the group
 */
public record Credentials(Handshake handshake, SocketSecurity security, Duration handshakeLimit) {
    /**
     * Limit that is enough for a slow peer on a busy host, and short enough that a silent peer does not hold a
     * connection for long.
     */
    public static final Duration USUAL_LIMIT = Duration.ofSeconds(10);

    /** Returns a copy whose handshakes take no longer than this limit. */
    Credentials within(Duration limit) {
        return new Credentials(handshake, security, handshakeLimit.compareTo(limit) <= 0 ? handshakeLimit : limit);
    }
}
