package org.mscclj.backend.host.kernel.packet;

import org.mscclj.backend.host.kernel.variant.Tier;

/** Packets in two {@linkplain Tier tiers}. */
final class TieredPacketKernel implements PacketKernel {
    static final TieredPacketKernel INSTANCE =
            new TieredPacketKernel(ScalarPacketKernel.INSTANCE, VectorPacketKernel.INSTANCE);

    private static final int TRIAL_WORDS = 512;
    private static final int TRIAL_FLAG = 1;

    private final Tier<PacketKernel> tier;

    private TieredPacketKernel(PacketKernel scalar, PacketKernel vector) {
        tier = new Tier<>(scalar, vector, (kernel, memory) -> {
            long words = memory;
            long packets = words + TRIAL_WORDS * WORD_BYTES;
            long forwarded = packets + TRIAL_WORDS * PACKET_BYTES;
            kernel.pack(words, packets, TRIAL_WORDS, TRIAL_FLAG);
            kernel.validPrefix(packets, TRIAL_WORDS, TRIAL_FLAG);
            kernel.forward(packets, forwarded, TRIAL_WORDS, TRIAL_FLAG);
            kernel.unpack(forwarded, words, TRIAL_WORDS, TRIAL_FLAG);
        });
    }

    @Override
    public void pack(long source, long packets, long words, int flag) {
        kernel(words).pack(source, packets, words, flag);
    }

    @Override
    public long unpack(long packets, long destination, long words, int flag) {
        return kernel(words).unpack(packets, destination, words, flag);
    }

    @Override
    public long forward(long packets, long destinationPackets, long words, int flag) {
        return kernel(words).forward(packets, destinationPackets, words, flag);
    }

    @Override
    public long validPrefix(long packets, long words, int flag) {
        return kernel(words).validPrefix(packets, words, flag);
    }

    private PacketKernel kernel(long words) {
        return tier.kernel(words * PACKET_BYTES);
    }
}
