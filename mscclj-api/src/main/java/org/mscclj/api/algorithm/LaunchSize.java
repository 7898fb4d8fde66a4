package org.mscclj.api.algorithm;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;

/**
 * The thread blocks of each rank, and the threads of a block, that a call asks an algorithm for. The name by which a
 * call names an algorithm may end with a size: {@code packets@8} asks for 8 blocks, {@code packets@8x512} for 8 blocks
 * of 512 threads, and {@code packets@0x512} for blocks of 512 threads, as many as the algorithm chooses. Equal on all
 * ranks, as the name is.
 *
 * @param blocks thread blocks of each rank; 0 for the algorithm's choice
 * @param threadsPerBlock threads of a block; 0 for the algorithm's choice
 */
public record LaunchSize(int blocks, int threadsPerBlock) {
    /** The algorithm chooses both. */
    public static final LaunchSize CHOSEN = new LaunchSize(0, 0);

    private static final char MARK = '@';
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})(?:x(\\d{1,9}))?");

    /** Checks that no number is negative. */
    public LaunchSize {
        if (blocks < 0) {
            throw InvalidArgumentException.of("blocks", blocks, "1 or more, or 0 for the algorithm's choice");
        }
        if (threadsPerBlock < 0) {
            throw InvalidArgumentException.of(
                    "threadsPerBlock", threadsPerBlock, "1 or more, or 0 for the algorithm's choice");
        }
    }

    /**
     * Returns the size at the end of a name; {@link #CHOSEN} if there is none.
     *
     * @throws InvalidArgumentException if what follows the last {@code @} is no size
     */
    public static LaunchSize of(String name) {
        int mark = Objects.requireNonNull(name, "name").lastIndexOf(MARK);
        if (mark < 0) {
            return CHOSEN;
        }
        Matcher size = SIZE.matcher(name.substring(mark + 1));
        if (!size.matches()) {
            throw InvalidArgumentException.of(
                    "the algorithm",
                    PlainText.quote(name),
                    "behind " + MARK + ": a number of thread blocks, or two numbers, as 8x512, for blocks and their"
                            + " threads");
        }
        String threads = size.group(2);
        return new LaunchSize(Integer.parseInt(size.group(1)), threads == null ? 0 : Integer.parseInt(threads));
    }

    /** Returns a name without the size at its end. */
    public static String base(String name) {
        int mark = Objects.requireNonNull(name, "name").lastIndexOf(MARK);
        return mark < 0 ? name : name.substring(0, mark);
    }

    /** Returns the end of a name that asks for this size, such as {@code @8x512}; empty for {@link #CHOSEN}. */
    public String suffix() {
        return equals(CHOSEN) ? "" : MARK + toString();
    }

    /** Returns the numbers, for example {@code 8x512}; without the threads if the algorithm chooses them. */
    @Override
    public String toString() {
        return threadsPerBlock == 0 ? Integer.toString(blocks) : blocks + "x" + threadsPerBlock;
    }
}
