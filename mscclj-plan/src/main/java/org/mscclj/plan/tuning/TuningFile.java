package org.mscclj.plan.tuning;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.mscclj.api.error.FileProblem;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.PlainText;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.plan.digest.Sha256;
import org.mscclj.plan.document.JsonFile;
import org.mscclj.plan.preference.SelectionTable;

/**
 * The content of a file of measured choices.
 *
 * @param name where the entries come from, for messages
 * @param entries the entries, in the order of the file; no two have equal keys
 */
public record TuningFile(String name, List<TuningEntry> entries) {
    /** No file: no entries. */
    public static final TuningFile NONE = new TuningFile("", List.of());

    /** The kind of document, for messages. */
    static final String DOCUMENT = "tuning";

    /**
     * Checks the entries.
     *
     * @throws InvalidArgumentException if two entries have equal keys, or if the choices of an entry are no table
     */
    public TuningFile {
        entries = List.copyOf(entries);
        for (int i = 0; i < entries.size(); i++) {
            TuningKey key = entries.get(i).key();
            if (entries.subList(0, i).stream().anyMatch(entry -> entry.key().equals(key))) {
                throw new InvalidArgumentException(PlainText.escape(name) + ": two entries are for "
                        + PlainText.escape(key.toString()) + "; leave one");
            }
            try {
                Objects.requireNonNull(SelectionTable.of(entries.get(i)));
            } catch (InvalidArgumentException e) {
                throw new InvalidArgumentException(
                        PlainText.escape(name) + ": entries[" + i + "]: " + e.getMessage(), e);
            }
        }
    }

    /**
     * Reads a file.
     *
     * @throws InvalidArgumentException if it cannot be read, or is no tuning file; the message has the place
     */
    public static TuningFile read(Path file) {
        return parse(JsonFile.bytes(file, DOCUMENT), file.toString());
    }

    /** Reads the text of a file; see {@link #read}. */
    public static TuningFile parse(byte[] json, String name) {
        return new TuningFile(name, TuningParser.entries(json, name));
    }

    /** Returns whether there are no entries. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Returns a copy with an entry, in place of one with an equal key, or behind all others. */
    public TuningFile with(TuningEntry entry) {
        List<TuningEntry> changed = new ArrayList<>(entries);
        int same = 0;
        while (same < changed.size() && !changed.get(same).key().equals(entry.key())) {
            same++;
        }
        if (same < changed.size()) {
            changed.set(same, entry);
        } else {
            changed.add(entry);
        }
        return new TuningFile(name, changed);
    }

    /**
     * Returns the entry that communicators of a key follow: the one with an equal key; else one for the same hardware,
     * preferably of the same version of mscclj, then of the same driver, then the last one. Empty if there is none.
     */
    public Optional<TuningEntry> find(TuningKey key) {
        return entries.reversed().stream()
                .filter(entry -> entry.key().isSameHardware(key))
                .min(Comparator.comparingInt(entry -> (entry.key().version().equals(key.version()) ? 0 : 2)
                        + (entry.key().driver().equals(key.driver()) ? 0 : 1)));
    }

    /** Returns a short text that is equal for files with equal keys and choices; empty without entries. */
    public String digest() {
        return isEmpty() ? "" : Sha256.shortOf(TuningText.of(entries, false));
    }

    /** Returns the text of the file. */
    public String text() {
        return TuningText.of(entries, true);
    }

    /**
     * Writes the file. Readers see it as before or as after. A file that exists keeps its permissions, and symbolic
     * links are followed.
     *
     * @throws InvalidArgumentException if it cannot be written
     */
    public void write(Path file) {
        try {
            ReplacedFile.write(file, text());
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    PlainText.escape(file.toString()) + " cannot be written: " + FileProblem.of(e)
                            + "; name a file in a folder in which this user may create files",
                    e);
        }
    }
}
