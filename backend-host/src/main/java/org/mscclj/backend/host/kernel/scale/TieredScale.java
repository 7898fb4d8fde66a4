package org.mscclj.backend.host.kernel.scale;

import org.mscclj.backend.host.kernel.variant.Tier;

/** Scaling in two {@linkplain Tier tiers}. */
final class TieredScale implements ScaleKernel {
    private static final long TRIAL_BYTES = 4 << 10;

    private final Tier<ScaleKernel> tier;

    TieredScale(ScaleKernel scalar, ScaleKernel vector) {
        tier = new Tier<>(scalar, vector, (kernel, memory) -> {
            kernel.scale(memory, TRIAL_BYTES, 0.5);
            kernel.divide(memory, TRIAL_BYTES, 3);
        });
    }

    @Override
    public void scale(long address, long bytes, double factor) {
        tier.kernel(bytes).scale(address, bytes, factor);
    }

    @Override
    public void scaleBy(long address, long bytes, long factor) {
        tier.kernel(bytes).scaleBy(address, bytes, factor);
    }

    @Override
    public void divide(long address, long bytes, double divisor) {
        tier.kernel(bytes).divide(address, bytes, divisor);
    }
}
