package org.mscclj.runtime.socket;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Properties;
import org.mscclj.plan.digest.Sha256;

/**
 * Identity that all ranks of one group have in common besides the secret. Two jobs may share a secret, or have none,
 * and share a port: the name of the job keeps their ranks apart.
 *
 * @param job the launcher's name of the job, or the id of a quorum; empty if nothing names it
 * @param version version of mscclj
 */
public record GroupIdentity(String job, String version) {
    /** Length of a version in a hello, in bytes; longer versions are truncated. */
    static final int VERSION_BYTES = 32;

    /** Length of the hash of a job's name, in bytes. */
    static final int JOB_BYTES = 32;

    private static final String RESOURCE = "build.properties";
    private static final String THIS_VERSION = thisVersion();

    /** Checks that nothing is null. */
    public GroupIdentity {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(version, "version");
    }

    /** Returns the identity of a job's group, of this version. */
    public static GroupIdentity ofJob(String job) {
        return new GroupIdentity(job, THIS_VERSION);
    }

    private static String thisVersion() {
        try (InputStream resource = GroupIdentity.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IllegalStateException(RESOURCE + " is not in the jar of this class");
            }
            Properties properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new IllegalStateException(RESOURCE + " cannot be read", e);
        }
    }

    /** Returns the hash of the job's name, since names have any length. */
    byte[] jobHash() {
        return Arrays.copyOf(Sha256.bytes(job), JOB_BYTES);
    }

    /** Returns the version, padded with zeros. */
    byte[] paddedVersion() {
        return Arrays.copyOf(version.getBytes(StandardCharsets.US_ASCII), VERSION_BYTES);
    }

    /** Returns the version in a hello, without characters that a terminal could interpret as a command. */
    static String version(byte[] padded) {
        return new String(padded, StandardCharsets.US_ASCII).replace("\0", "").replaceAll("[^ -~]", "?");
    }

    /** Returns the job's name for messages. */
    String describe() {
        return job.isEmpty() ? "a job without a name" : "job " + job;
    }
}
