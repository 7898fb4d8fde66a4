package org.mscclj.runtime.process;

import java.nio.file.Path;
import java.util.Map;

/** Starts ranks in JVMs of their own. */
final class RankJvm {
    private RankJvm() {}

    /** Starts a program of the tests as a rank of a job. */
    static Process start(Class<?> main, int rank, int size, String job, Map<String, String> environment)
            throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--module-path",
                System.getProperty("jdk.module.path"),
                "--patch-module",
                "org.mscclj.runtime=" + Path.of("target", "test-classes"),
                "--add-modules",
                "ALL-MODULE-PATH",
                "--module",
                "org.mscclj.runtime/" + main.getName());
        builder.environment()
                .putAll(Map.of(
                        "MSCCLJ_RANK", Integer.toString(rank),
                        "MSCCLJ_WORLD_SIZE", Integer.toString(size),
                        "MSCCLJ_JOB", job));
        builder.environment().putAll(environment);
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
