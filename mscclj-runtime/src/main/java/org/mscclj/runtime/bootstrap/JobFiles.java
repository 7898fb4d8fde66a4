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
 * The file of a job in each folder that a rank of this user may look into: rank 0 writes all, the others read what they
 * find first. So ranks meet of which only some have a runtime directory.
 *
 * @param files at least one; what goes wrong with the others does not matter
 */
record JobFiles(List<JobFile> files) implements MeetingPlace {
    /** The files of a job. */
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
                // another user has a file of this name there; those who have the first folder find rank 0
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
                // it is not this user's, and the first folder is
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
