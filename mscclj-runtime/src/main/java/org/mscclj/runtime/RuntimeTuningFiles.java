package org.mscclj.runtime;

import java.nio.file.Path;
import java.util.List;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningFiles;
import org.mscclj.runtime.execution.environment.TuningSetting;

/** The service through which applications read and write files of choices. */
public final class RuntimeTuningFiles implements TuningFiles {
    /** Creates the service. Called by the service loader. */
    public RuntimeTuningFiles() {}

    @Override
    public List<TuningEntry> load(Path file) {
        return TuningSetting.read(file).entries();
    }

    @Override
    public void save(Path file, TuningEntry entry) {
        TuningSetting.save(file, entry);
    }
}
