package org.mscclj.plan.preference;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.type.Collective;

/**
 * The programs that are fastest on a kind of machine, as they were measured. A section of the table is for a
 * collective, a number of ranks, all of one node, and registered or plain memory. A call that no section is for is
 * served by the thresholds of {@link ProgramPreference}.
 *
 * <p>All ranks of a communicator must have equal tables, because ranks with different choices would deadlock.
 *
 * @param rows the rows, in ascending order of sections and sizes; the first row of a section begins at 0 bytes
 */
public record SelectionTable(List<SelectionRow> rows) {
    private static final Comparator<SelectionRow> ORDER = Comparator.comparing(SelectionRow::collective)
            .thenComparingInt(SelectionRow::ranks)
            .thenComparing(row -> !row.registered())
            .thenComparingLong(SelectionRow::leastBytes);

    /** The table without rows. */
    public static final SelectionTable EMPTY = new SelectionTable(List.of());

    /**
     * Sorts the rows.
     *
     * @throws InvalidArgumentException if two rows of a section begin at the same size, or if none begins at 0
     */
    public SelectionTable {
        rows = rows.stream().sorted(ORDER).toList();
        for (int i = 0; i < rows.size(); i++) {
            SelectionRow row = rows.get(i);
            boolean first = i == 0 || !row.isOfSection(rows.get(i - 1));
            if (first && row.leastBytes() > 0) {
                throw InvalidArgumentException.of(
                        "the first row of " + row.section(),
                        "for " + row.leastBytes() + " bytes and more",
                        "a first row for 0 bytes and more");
            }
            if (!first && row.leastBytes() == rows.get(i - 1).leastBytes()) {
                throw new InvalidArgumentException(
                        row.section() + " has two rows that begin at " + row.leastBytes() + " bytes; leave one");
            }
        }
    }

    /**
     * Returns the table of an entry of a tuning file.
     *
     * @throws InvalidArgumentException if two choices of a section begin at the same size, if none begins at 0, or if a
     *     choice has a wrong size
     */
    public static SelectionTable of(TuningEntry entry) {
        return new SelectionTable(entry.choices().stream()
                .map(choice -> SelectionRow.of(
                        choice.collective(),
                        entry.key().ranks(),
                        choice.registered(),
                        choice.leastBytes(),
                        choice.algorithm()))
                .toList());
    }

    /** Returns whether there are no rows. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Returns the row for a message; empty if no section is for it, or if it is served as without a table. */
    public Optional<SelectionRow> find(Collective collective, int ranks, boolean registered, long messageBytes) {
        return last(collective, ranks, registered, messageBytes).filter(row -> !row.isDefault());
    }

    private Optional<SelectionRow> last(Collective collective, int ranks, boolean registered, long messageBytes) {
        return rows.stream()
                .filter(row -> row.collective() == collective
                        && row.ranks() == ranks
                        && row.registered() == registered
                        && row.leastBytes() <= messageBytes)
                .reduce((_, row) -> row);
    }

    /**
     * Returns a table whose rows are those of this one, and of another one where this one has no row, or the row for
     * the default.
     */
    public SelectionTable over(SelectionTable other) {
        List<SelectionRow> all =
                Stream.concat(rows.stream(), other.rows.stream()).sorted(ORDER).toList();
        List<SelectionRow> merged = new ArrayList<>();
        for (SelectionRow start : all) {
            SelectionRow row = findAt(start).or(() -> other.findAt(start)).orElse(start.withDefault());
            SelectionRow before = merged.isEmpty() ? null : merged.getLast();
            boolean goesOn =
                    before != null && row.isOfSection(before) && row.algorithm().equals(before.algorithm());
            if (!goesOn) {
                merged.add(row);
            }
        }
        return new SelectionTable(merged);
    }

    /**
     * Returns this table without choices for large messages of a collective.
     *
     * @param fewestBytes returns from which size on, for the number of ranks and the kind of memory of a choice
     */
    public SelectionTable below(Collective collective, ToLongFunction<SelectionRow> fewestBytes) {
        List<SelectionRow> kept = new ArrayList<>();
        for (SelectionRow row : rows) {
            long end = row.collective() == collective ? fewestBytes.applyAsLong(row) : Long.MAX_VALUE;
            if (row.leastBytes() < end) {
                kept.add(row);
            }
            if (row.leastBytes() == 0 && end < Long.MAX_VALUE) {
                kept.add(row.withDefault().from(end));
            }
        }
        return new SelectionTable(kept);
    }

    /** Returns the row for the least message of a given row, from that size on. */
    private Optional<SelectionRow> findAt(SelectionRow start) {
        return find(start.collective(), start.ranks(), start.registered(), start.leastBytes())
                .map(row -> row.from(start.leastBytes()));
    }

    /** Returns the sizes at which rows for a number of ranks begin, without 0, ascending, each once. */
    public LongStream steps(int ranks) {
        return rows.stream()
                .filter(row -> row.ranks() == ranks)
                .mapToLong(SelectionRow::leastBytes)
                .filter(bytes -> bytes > 0)
                .sorted()
                .distinct();
    }
}
