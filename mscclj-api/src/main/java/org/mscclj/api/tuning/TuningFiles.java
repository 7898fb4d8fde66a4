package org.mscclj.api.tuning;

import java.nio.file.Path;
import java.util.List;

/** Reads and writes files of choices. The runtime provides it as a service; applications call {@link TuningEntry}. */
public interface TuningFiles {
    /** Reads a file; see {@link TuningEntry#load}. */
    List<TuningEntry> load(Path file);

    /** Writes an entry to a file; see {@link TuningEntry#save}. */
    void save(Path file, TuningEntry entry);
}
