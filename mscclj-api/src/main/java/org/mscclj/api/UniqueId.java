package org.mscclj.api;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * All that ranks must share to form a communicator: where rank 0 waits, and a secret. As NCCL's unique id, it is made
 * once and handed to every rank by means of the application. Whoever has it can join: keep it from strangers and out of
 * logs.
 *
 * @param address where rank 0 waits
 * @param secret what every connection proves to know
 */
public record UniqueId(RendezvousAddress address, String secret) {
    private static final String SCHEME = "mscclj://";
    private static final int SECRET_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Checks that there is a secret. */
    public UniqueId {
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(secret, "secret");
        if (secret.isEmpty()) {
            throw new InvalidArgumentException("a unique id needs a secret; use UniqueId.create");
        }
    }

    /** An id with a fresh random secret, for rank 0 at the given address. */
    public static UniqueId create(RendezvousAddress address) {
        return new UniqueId(address, randomSecret());
    }

    /**
     * An id with a fresh random secret, for rank 0 in this process: a port that the operating system chooses is bound
     * now, and stays so until rank 0 has opened its communicator with the id.
     */
    public static UniqueId create() {
        return Platform.instance().createUniqueId();
    }

    /** A fresh random secret, as text. */
    public static String randomSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * Reads what {@link #text} gave.
     *
     * @throws InvalidArgumentException if it is something else; the message does not repeat it, since it may hold a
     *     secret
     */
    public static UniqueId parse(String text) {
        Objects.requireNonNull(text, "text");
        int slash = text.indexOf('/', SCHEME.length());
        if (!text.startsWith(SCHEME) || slash < 0 || slash == text.length() - 1) {
            throw new InvalidArgumentException("the unique id of " + text.length()
                    + " characters is malformed; allowed: " + SCHEME + "HOST:PORT/SECRET, as UniqueId.text gives it");
        }
        return new UniqueId(RendezvousAddress.parse(text.substring(SCHEME.length(), slash)), text.substring(slash + 1));
    }

    /** The whole id, secret included, as one line of text. */
    public String text() {
        return SCHEME + address + "/" + secret;
    }

    /** The address only, since this may end up in a log. */
    @Override
    public String toString() {
        return "UniqueId[" + address + "]";
    }
}
