package org.mscclj.runtime.process;

import java.util.HashMap;
import java.util.Map;

/** Starts ranks in JVMs of their own. */
final class RankJvm {
    private RankJvm() {}

    /** Starts a program of the tests as a rank of a job. */
    static Process start(Class<?> main, int rank, int size, String job, Map<String, String> environment)
            throws Exception {
        Map<String, String> all = new HashMap<>(Map.of(
                "MSCCLJ_RANK", Integer.toString(rank), "MSCCLJ_WORLD_SIZE", Integer.toString(size), "MSCCLJ_JOB", job));
        all.putAll(environment);
        return ModuleJvm.start(all, main);
    }
}
