package org.mscclj.api.bootstrap;

import java.util.Objects;
import org.mscclj.api.error.InvalidArgumentException;

/**
 * Refuses secrets that can be guessed. A process that connects to a rank, or that a rank connects to, sees a proof of
 * the secret, and can test texts against the proof offline, billions each second.
 */
final class GuessableSecret {
    /** A search through 2 to the power of this number of texts takes longer than the lifetime of a job. */
    private static final int MIN_BITS = 64;

    private static final int MIN_DIFFERENT = 5;
    private static final int DIGITS = 10;
    private static final int HEXADECIMAL_DIGITS = 16;
    private static final int LETTERS = 26;
    private static final int OTHERS = 33;

    private GuessableSecret() {}

    /**
     * Refuses a secret that is null, empty or weak. The message does not repeat it.
     *
     * @param what names the owner of the secret, for the message
     */
    static void refuse(String what, String secret) {
        Objects.requireNonNull(secret, what);
        long different = secret.codePoints().distinct().count();
        double bits = secret.length() * Math.log(alphabet(secret)) / Math.log(2);
        if (bits < MIN_BITS || different < MIN_DIFFERENT) {
            throw new InvalidArgumentException(what + " is a text of " + secret.length() + " characters, " + different
                    + " of them different, which strangers can guess; allowed: a random text of at least " + MIN_BITS
                    + " bits, as 16 hexadecimal digits, made by \"openssl rand -hex 32\" or UniqueId.randomSecret()");
        }
    }

    /** The size of the alphabet that the text appears to use. */
    private static int alphabet(String secret) {
        if (secret.matches("[0-9]*")) {
            return DIGITS;
        }
        if (secret.matches("[0-9a-f]*|[0-9A-F]*")) {
            return HEXADECIMAL_DIGITS;
        }
        int alphabet = 1;
        alphabet += secret.matches("(?s).*[0-9].*") ? DIGITS : 0;
        alphabet += secret.matches("(?s).*[a-z].*") ? LETTERS : 0;
        alphabet += secret.matches("(?s).*[A-Z].*") ? LETTERS : 0;
        alphabet += secret.matches("(?s).*[^0-9A-Za-z].*") ? OTHERS : 0;
        return alphabet;
    }
}
