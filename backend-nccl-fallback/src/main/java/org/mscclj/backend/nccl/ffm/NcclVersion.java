package org.mscclj.backend.nccl.ffm;

/**
 * A version of NCCL.
 *
 * @param code the code that {@code ncclGetVersion} returns; codes of later versions are greater
 */
public record NcclVersion(int code) {
    /** From 2.9 on, the parts of a code have two digits. */
    private static final int LAST_SHORT_CODE = 2_8_99;

    /** The oldest version that can be used. */
    static final NcclVersion OLDEST = of(2, 10, 3);

    /** Returns the version with these numbers, 2.9 or later. */
    public static NcclVersion of(int major, int minor, int patch) {
        return new NcclVersion(major * 10_000 + minor * 100 + patch);
    }

    /** Whether this is the given version or a later one. */
    public boolean isAtLeast(NcclVersion other) {
        return code >= other.code;
    }

    @Override
    public String toString() {
        int unit = code <= LAST_SHORT_CODE ? 1_000 : 10_000;
        return code / unit + "." + code % unit / 100 + "." + code % 100;
    }
}
