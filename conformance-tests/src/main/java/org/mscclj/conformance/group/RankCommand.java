package org.mscclj.conformance.group;

import java.util.Arrays;
import java.util.List;

/**
 * What starts the Java of a rank that is a process: nothing more, or a command that stands before it, such as
 * {@code ssh host{node}}. Then ranks may run on other hosts, if these have Java and the files of the class path and
 * module path at the same places. The rank's standard input and output must lead to and from the command's.
 *
 * @param words the words of the command, in which <code>{rank}</code> stands for the rank, from 0, and <code>{node}
 *     </code> for its node, from 0; no words if Java is started directly
 */
public record RankCommand(List<String> words) {
    /** Java is started directly. */
    public static final RankCommand NONE = new RankCommand(List.of());

    /** Copies the list. */
    public RankCommand {
        words = List.copyOf(words);
    }

    /** Returns the command with the words that blanks separate; {@link #NONE} if there are none. */
    public static RankCommand parse(String text) {
        return new RankCommand(Arrays.stream(text.strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList());
    }

    /** Returns whether a command starts the ranks. */
    boolean isGiven() {
        return !words.isEmpty();
    }

    /** Returns the words of the command for a rank. */
    List<String> of(int rank, int node) {
        return words.stream()
                .map(word -> word.replace("{rank}", Integer.toString(rank)).replace("{node}", Integer.toString(node)))
                .toList();
    }
}
