package org.mscclj.plan.preference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;

/**
 * The text of a {@link SelectionTable}. The first line is {@value #HEADER}. A section begins with a line of its
 * collective, its number of ranks and {@code registered} or {@code plain}. Lines of its rows follow: the least size in
 * bytes, or in {@code K}, {@code M} or {@code G}, the program, and the number of blocks. A {@code #} begins a comment.
 *
 * <pre>{@code
 * selection 1
 * allreduce 2 registered
 *   0     packets        1
 *   8K    packets        4
 *   256K  packets_ll128  64
 * }</pre>
 */
public final class SelectionText {
    /** The first line of the text. */
    public static final String HEADER = "selection 1";

    private static final String REGISTERED = "registered";
    private static final String PLAIN = "plain";
    private static final String UNITS = "KMG";
    private static final int UNIT_BITS = 10;
    private static final int WORDS = 3;

    private SelectionText() {}

    /** Returns the text of a table, without comments. */
    public static String of(SelectionTable table) {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        SelectionRow before = null;
        for (SelectionRow row : table.rows()) {
            if (before == null || !row.isOfSection(before)) {
                text.append(section(row)).append('\n');
            }
            text.append(row(row)).append('\n');
            before = row;
        }
        return text.toString();
    }

    /** Returns the first line of a row's section. */
    public static String section(SelectionRow row) {
        return row.collective() + " " + row.ranks() + " " + (row.registered() ? REGISTERED : PLAIN);
    }

    /** Returns the line of a row. */
    public static String row(SelectionRow row) {
        return String.format(Locale.ROOT, "  %-5s %s %d", size(row.leastBytes()), row.program(), row.blocks());
    }

    /**
     * Reads the text of a table.
     *
     * @param where where the text comes from, for messages
     * @throws InvalidArgumentException if the text is no table; the message names the line
     */
    public static SelectionTable parse(String text, String where) {
        List<String> lines = text.lines().toList();
        List<SelectionRow> rows = new ArrayList<>();
        List<String> section = List.of();
        boolean begun = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            String place = where + ", line " + (i + 1);
            if (line.isEmpty()) {
                continue;
            }
            if (!begun) {
                require(line.equals(HEADER), place, line, HEADER);
                begun = true;
                continue;
            }
            List<String> words = Arrays.asList(line.split("\\s+", -1));
            require(words.size() == WORDS, place, line, "three words");
            if (Character.isDigit(line.charAt(0))) {
                require(!section.isEmpty(), place, line, "first a section, as \"allreduce 2 registered\"");
                rows.add(row(section, words, place));
            } else {
                section = words;
                SelectionRow _ = row(section, List.of("0", "any", "1"), place);
            }
        }
        require(begun, where, "", HEADER + " in the first line");
        try {
            return new SelectionTable(rows);
        } catch (InvalidArgumentException e) {
            throw new InvalidArgumentException(where + ": " + e.getMessage(), e);
        }
    }

    private static SelectionRow row(List<String> section, List<String> words, String place) {
        Collective collective = collective(section.getFirst(), place);
        int ranks = number(section.get(1), place);
        String memory = section.getLast();
        require(memory.equals(REGISTERED) || memory.equals(PLAIN), place, memory, REGISTERED + " or " + PLAIN);
        long bytes = bytes(words.getFirst(), place);
        int blocks = number(words.getLast(), place);
        try {
            return new SelectionRow(collective, ranks, memory.equals(REGISTERED), bytes, words.get(1), blocks);
        } catch (InvalidArgumentException e) {
            throw new InvalidArgumentException(place + ": " + e.getMessage(), e);
        }
    }

    private static Collective collective(String name, String place) {
        return Arrays.stream(Collective.values())
                .filter(collective -> collective.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidArgumentException.of(
                        place,
                        '"' + name + '"',
                        Arrays.stream(Collective.values())
                                .map(Collective::toString)
                                .collect(Collectors.joining(", ", "one of ", ""))));
    }

    private static int number(String word, String place) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(place + " is \"" + word + "\"; allowed: a whole number", e);
        }
    }

    private static long bytes(String word, String place) {
        int unit = UNITS.indexOf(word.charAt(word.length() - 1)) + 1;
        String digits = unit == 0 ? word : word.substring(0, word.length() - 1);
        int shift = unit * UNIT_BITS;
        try {
            long number = Long.parseLong(digits);
            if (number <= Long.MAX_VALUE >> shift) {
                return number << shift;
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw InvalidArgumentException.of(place, '"' + word + '"', "a number of bytes, or of K, M or G");
    }

    private static String size(long bytes) {
        int unit = bytes == 0 ? 0 : Math.min(UNITS.length(), Long.numberOfTrailingZeros(bytes) / UNIT_BITS);
        return (bytes >> (unit * UNIT_BITS)) + (unit == 0 ? "" : String.valueOf(UNITS.charAt(unit - 1)));
    }

    private static void require(boolean holds, String place, String given, String allowed) {
        if (!holds) {
            throw InvalidArgumentException.of(place, '"' + given + '"', allowed);
        }
    }
}
