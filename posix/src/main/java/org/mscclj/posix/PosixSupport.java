package org.mscclj.posix;

import java.util.Optional;

/**
 * Determines whether the constants of {@link NativeFile}, {@link PageMapping} and {@link Futex} are those of this
 * system.
 */
public final class PosixSupport {
    private PosixSupport() {}

    /** Returns why these classes cannot be used here; empty if they can. */
    public static Optional<String> missing() {
        String system = System.getProperty("os.name");
        String machine = System.getProperty("os.arch");
        return system.equals("Linux") && (machine.equals("amd64") || machine.equals("aarch64"))
                ? Optional.empty()
                : Optional.of("needs Linux on amd64 or aarch64, and this is " + system + " on " + machine);
    }

    /** Returns whether this is AArch64, where some constants differ. */
    static boolean isAarch64() {
        return System.getProperty("os.arch").equals("aarch64");
    }
}
