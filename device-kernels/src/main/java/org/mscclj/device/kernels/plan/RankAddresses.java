package org.mscclj.device.kernels.plan;

import java.util.Locale;
import java.util.OptionalLong;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.fusion.OperandRange;
import org.mscclj.spi.engine.ContextLayout;
import org.mscclj.spi.engine.ContextSpec;
import org.mscclj.spi.engine.LaunchSpec;

/** Addresses of the memory that a rank's kernel accesses, on its device. */
final class RankAddresses {
    private final ContextSpec context;
    private final LaunchSpec launch;

    RankAddresses(ContextSpec context, LaunchSpec launch) {
        this.context = context;
        this.launch = launch;
    }

    private long buffer(int rank, BufferType buffer) {
        OptionalLong address = switch (buffer) {
            case INPUT -> launch.buffers().get(rank).input();
            case OUTPUT -> launch.buffers().get(rank).output();
            case SCRATCH ->
                rank == context.rank()
                        ? OptionalLong.of(context.scratch().address())
                        : context.peers().get(rank).scratch();
        };
        return address.orElseThrow(() -> new UnsupportedException(where() + ": the "
                + buffer.name().toLowerCase(Locale.ROOT) + " of rank " + rank
                + " is not mapped here; use memory from Communicator.allocate, or a plan with"
                + " port channels to that rank"));
    }

    /** Distance of the halves of a rank's double scratch, in bytes. */
    long halfBytes(int rank) {
        return ContextLayout.halfBytes(context.plan(), rank, context.slotBytes());
    }

    /** The start of the buffer of an operand. */
    long of(OperandRange range) {
        return buffer(range.rank(), range.buffer());
    }

    private String where() {
        return "plan " + context.plan().label() + ", rank " + context.rank();
    }
}
