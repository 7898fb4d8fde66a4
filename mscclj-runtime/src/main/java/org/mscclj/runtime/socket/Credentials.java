package org.mscclj.runtime.socket;

import java.time.Duration;

/**
 * What a rank needs in order to trust and be trusted.
 *
 * @param handshake who it is, and the group's secret
 * @param security encryption
 * @param handshakeLimit how long a peer may take to prove that it belongs to the group
 */
public record Credentials(Handshake handshake, SocketSecurity security, Duration handshakeLimit) {
    /** Enough for a slow peer on a busy host, short enough that a silent one does not hold a place for long. */
    public static final Duration USUAL_LIMIT = Duration.ofSeconds(10);

    /** The same for whoever has no more time than this. */
    Credentials within(Duration limit) {
        return new Credentials(handshake, security, handshakeLimit.compareTo(limit) <= 0 ? handshakeLimit : limit);
    }
}
