package org.mscclj.conformance.scenario;

/** Random numbers that are a function of what they belong to, and can be computed again. */
final class Hash {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private Hash() {}

    static long of(long seed, long rank, long index) {
        return mix(mix(seed + index * GOLDEN) + (rank + 1) * GOLDEN);
    }

    /** Applies the finalizer of SplitMix64. */
    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
