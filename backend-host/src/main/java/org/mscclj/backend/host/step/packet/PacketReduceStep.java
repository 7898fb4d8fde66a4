package org.mscclj.backend.host.step.packet;

import org.mscclj.backend.host.kernel.reduce.ReduceKernel;
import org.mscclj.backend.host.step.StepContext;
import org.mscclj.backend.host.step.StepOperand;

/**
 * Reduces packets in order, with a plain operand among them, and stores the result as plain data and as packets.
 *
 * <p>The step handles a batch when its packets have arrived from every source, so that it keeps no state between turns
 * and rounds each result once.
 */
public final class PacketReduceStep extends PacketStep {
    /** The largest size of the operands of a batch, in bytes, if there are many: it stays in the second-level cache. */
    private static final long MAX_STAGED = 128 << 10;

    private static final long MIN_BATCH = 64;

    private final StepOperand plainSource;
    private final int packetsBefore;
    private final StepOperand[] packetSources;
    private final StepOperand plainDestination;
    private final StepOperand[] packetDestinations;
    private final ReduceKernel kernel;
    private final long unit;
    private final long[] staged;
    private final long staging;
    private long batch;
    private long result;

    /**
     * A reduction of operands of equal length.
     *
     * @param packetsBefore how many packets are combined before the plain operand
     * @param elementBytes size of an element
     * @param staging address of {@link #stagingBytes} bytes that belong to the block
     */
    public PacketReduceStep(
            StepOperand plainSource,
            int packetsBefore,
            StepOperand[] packetSources,
            StepOperand plainDestination,
            StepOperand[] packetDestinations,
            ReduceKernel kernel,
            int elementBytes,
            long staging) {
        super(plainSource);
        this.plainSource = plainSource;
        this.packetsBefore = packetsBefore;
        this.packetSources = packetSources;
        this.plainDestination = plainDestination;
        this.packetDestinations = packetDestinations;
        this.kernel = kernel;
        this.unit = Math.max(4, elementBytes);
        this.staged = new long[packetSources.length + 1];
        this.staging = staging;
    }

    /** Memory needed for the operands of a batch and its result, in bytes. */
    public static long stagingBytes(int packetSources) {
        return (packetSources + 2) * batch(packetSources, Long.MAX_VALUE / 4);
    }

    /** Payload handled at once, in bytes: a power of two, so that it holds whole elements. */
    private static long batch(int packetSources, long length) {
        long most = Math.clamp(Long.highestOneBit(MAX_STAGED / (packetSources + 2)), MIN_BATCH, BATCH);
        return Math.clamp(Long.highestOneBit(2 * Math.max(1, length) - 1), MIN_BATCH, most);
    }

    @Override
    protected void begin(StepContext context) {
        plainSource.begin(context);
        plainDestination.begin(context);
        for (StepOperand source : packetSources) {
            source.begin(context);
        }
        for (StepOperand destination : packetDestinations) {
            destination.begin(context);
        }
        placeBatches();
    }

    /** Places the operands of a batch next to each other: those of a small message take few pages. */
    private void placeBatches() {
        long bytes = batch(packetSources.length, plainSource.length());
        if (bytes != batch) {
            batch = bytes;
            for (int i = 0; i < staged.length; i++) {
                staged[i] = staging + i * bytes;
            }
            result = staging + staged.length * bytes;
        }
    }

    private boolean allArrived(long position, long bytes, int flag) {
        for (StepOperand source : packetSources) {
            if (!lastArrived(source.address(position), bytes, flag)) {
                return false;
            }
        }
        return true;
    }

    @Override
    protected long handle(StepContext context, long position, long end) {
        long bytes = together(packetSources, position, Math.min(batch, end - position));
        bytes = together(packetDestinations, position, bytes);
        if (allArrived(position, bytes, context.flag())) {
            batchArrived();
        } else if (waitOn()) {
            return 0;
        }
        for (int i = 0; i < packetSources.length; i++) {
            long to = staged[i < packetsBefore ? i : i + 1];
            long arrived = 4 * PACKETS.unpack(packetSources[i].address(position), to, bytes / 4, context.flag());
            bytes = Math.min(bytes, arrived / unit * unit);
            if (bytes == 0) {
                return 0;
            }
        }
        plainSource.copyOut(position, staged[packetsBefore], bytes);
        kernel.reduce(result, staged, staged.length, bytes);
        plainDestination.copyIn(result, position, bytes);
        for (StepOperand destination : packetDestinations) {
            destination.run(position);
            PACKETS.pack(result, destination.address(position), bytes / 4, context.flag());
        }
        return bytes;
    }
}
