package org.mscclj.api;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * The data that ranks must share to form a communicator: the address at which rank 0 listens, and a secret. As with
 * NCCL's unique id, one process creates it, and the application passes it to every rank. Any process that has the id
 * can join: keep it secret, and out of logs.
 *
 * @param address the address at which rank 0 listens
 * @param secret the secret that every connection proves to know
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
     * Parses the result of {@link #text}.
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

    /** The address only, since the text may be logged. */
    @Override
    public String toString() {
        return "UniqueId[" + address + "]";
    }
}
