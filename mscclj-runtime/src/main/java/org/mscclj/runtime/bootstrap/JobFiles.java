package org.mscclj.runtime.bootstrap;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.mscclj.api.UniqueId;
import org.mscclj.api.error.MsccljException;
import org.mscclj.runtime.resource.Resources;
import org.mscclj.runtime.settings.RuntimeFolder;

/**
 * The files of a job in each folder that a rank of this user may read. Rank 0 writes all of them; the other ranks read
 * the first one that they find. Ranks therefore find each other even if only some of them have a runtime directory.
 *
 * @param files at least one; errors with files after the first are ignored
 */
record JobFiles(List<JobFile> files) implements RendezvousPoint {
    /** Returns the files of a job. */
    static JobFiles of(String job, Map<String, String> environment) {
        return new JobFiles(RuntimeFolder.all(environment).stream()
                .map(folder -> JobFile.in(folder, job))
                .toList());
    }

    @Override
    public void write(UniqueId id) {
        files.forEach(JobFile::requireNoOther);
        files.getFirst().write(id);
        for (JobFile file : files.subList(1, files.size())) {
            try {
                file.write(id);
            } catch (MsccljException e) {
                // another user has a file of this name there; ranks that have the first folder find rank 0
            }
        }
    }

    @Override
    public Optional<UniqueId> read() {
        Optional<UniqueId> first = files.getFirst().read();
        for (int i = 1; i < files.size() && first.isEmpty(); i++) {
            try {
                first = files.get(i).read();
            } catch (MsccljException e) {
                // it is another user's file; the first folder is this user's
            }
        }
        return first;
    }

    @Override
    public void abandon(UniqueId id) {
        files.forEach(file -> file.abandon(id));
    }

    @Override
    public void removeUnfinished() {
        files.forEach(JobFile::removeUnfinished);
    }

    @Override
    public String advice() {
        return files.getFirst().advice();
    }

    @Override
    public void close() {
        Resources.close(files);
    }

    @Override
    public String toString() {
        return files.stream().map(JobFile::toString).collect(Collectors.joining(" or "));
    }
}
