package org.mscclj.spi.protection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The largest number of open connections whose other ends have not yet proved that they belong to the group. */
public final class StrangerLimit {
    private static final int MAX = 256;
    private static final int MIN = 8;

    /** The other descriptors remain for ranks, files and classes. */
    private static final int SHARE = 8;

    private static final int USUAL_DESCRIPTORS = 1024;
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String DESCRIPTORS = "Max open files";

    private StrangerLimit() {}

    /** The limit for a listener of this process: a share of its limit of open descriptors. */
    public static int ofProcess() {
        return of(descriptors());
    }

    static int of(int descriptors) {
        return Math.clamp(descriptors / SHARE, MIN, MAX);
    }

    private static int descriptors() {
        try {
            for (String line : Files.readAllLines(LIMITS)) {
                if (line.startsWith(DESCRIPTORS)) {
                    String soft = line.substring(DESCRIPTORS.length()).strip().split("\\s+", -1)[0];
                    return soft.equals("unlimited") ? Integer.MAX_VALUE : Integer.parseInt(soft);
                }
            }
        } catch (IOException | NumberFormatException _) {
            return USUAL_DESCRIPTORS; // not Linux, or out of range
        }
        return USUAL_DESCRIPTORS;
    }
}
