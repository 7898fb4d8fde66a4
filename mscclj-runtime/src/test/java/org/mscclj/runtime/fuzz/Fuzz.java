package org.mscclj.runtime.fuzz;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.mscclj.api.error.MsccljException;

/**
 * Feeds a decoder changed messages: whatever a peer sends, the decoder answers or throws an exception of the family.
 * {@code -Dmscclj.full=true} for a million inputs of each kind of message, {@code -Dmscclj.seed=N} to repeat a run.
 */
public final class Fuzz {
    private static final int INPUTS = Boolean.getBoolean("mscclj.full") ? 1_000_000 : 2_000;
    private static final long SEED = Long.getLong("mscclj.seed", System.nanoTime());

    private Fuzz() {}

    /** Decodes bytes, or refuses them. */
    @FunctionalInterface
    public interface Decoder {
        /** May throw what a peer's message may cause. */
        void decode(byte[] message) throws Exception;
    }

    /**
     * Tries changed messages.
     *
     * @param also what the decoder may throw besides the family
     */
    public static void run(String kind, byte[] valid, Class<? extends Exception> also, Decoder decoder) {
        Random random = new Random(SEED ^ kind.hashCode());
        for (int i = 0; i < INPUTS; i++) {
            byte[] input = changed(valid, random);
            try {
                decoder.decode(input);
            } catch (Exception | StackOverflowError | OutOfMemoryError e) {
                if (!(e instanceof MsccljException) && !also.isInstance(e)) {
                    fail(
                            kind + ", input " + i + " of seed " + SEED + ", "
                                    + HexFormat.of().formatHex(Arrays.copyOf(input, Math.min(input.length, 200))),
                            e);
                }
            }
        }
    }

    /** Each kind on its own, with nothing but the family allowed. */
    public static void run(String kind, List<byte[]> valid, Decoder decoder) {
        for (int i = 0; i < valid.size(); i++) {
            run(kind + " " + i, valid.get(i), MsccljException.class, decoder);
        }
    }

    private static byte[] changed(byte[] valid, Random random) {
        byte[] input = switch (random.nextInt(8)) {
            case 0 -> Arrays.copyOf(valid, random.nextInt(valid.length + 1)); // cut
            case 1 -> Arrays.copyOf(valid, valid.length + 1 + random.nextInt(16)); // longer
            case 2 -> new byte[random.nextInt(64)];
            default -> valid.clone();
        };
        for (int changes = 1 + random.nextInt(4); changes > 0 && input.length > 0; changes--) {
            int at = random.nextInt(input.length);
            switch (random.nextInt(3)) {
                case 0 -> input[at] = (byte) random.nextInt();
                case 1 -> input[at] ^= (byte) (1 << random.nextInt(8));
                default ->
                    Arrays.fill(input, at, Math.min(input.length, at + 4), (byte) (random.nextBoolean() ? 0xff : 0x7f));
            }
        }
        return input;
    }
}
