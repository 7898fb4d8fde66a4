package org.mscclj.plan.preference;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
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
        SelectionRow found = null;
        for (SelectionRow row : rows) {
            if (row.collective() == collective
                    && row.ranks() == ranks
                    && row.registered() == registered
                    && row.leastBytes() <= messageBytes) {
                found = row;
            }
        }
        return Optional.ofNullable(found).filter(row -> !row.isDefault());
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
