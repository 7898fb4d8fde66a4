package org.mscclj.gpu.multicast;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.mapping.DeviceBlock;
import org.mscclj.gpu.mapping.Exportable;
import org.mscclj.gpu.mapping.Exports;
import org.mscclj.gpu.mapping.PhysicalMemory;

/** This process's handle of a multicast object, which the GPUs of this process share. */
final class MulticastMemory extends Exportable {
    private final DeviceContext context;
    private final PhysicalMemory memory;
    private final int members;
    private final Optional<TeamLife> life;
    private final Set<Integer> added = new HashSet<>();
    private final List<DeviceBlock> kept = new ArrayList<>();

    private MulticastMemory(DeviceContext context, PhysicalMemory memory, int members, Optional<TeamLife> life) {
        this.context = context.share();
        this.memory = memory;
        this.members = members;
        this.life = life;
    }

    /**
     * Creates the handle of an object, which the caller holds.
     *
     * @param life tells when no other process uses the object; empty if none does
     */
    static MulticastMemory of(DeviceContext context, PhysicalMemory memory, int members, Optional<TeamLife> life) {
        MulticastMemory made = new MulticastMemory(context, memory, members, life);
        made.export();
        return made;
    }

    /** The object of this process with a number, held once more, if it has not been released. */
    static Optional<MulticastMemory> find(long number) {
        return switch (Exports.find(number).orElse(null)) {
            case MulticastMemory found -> Optional.of(found);
            case null -> Optional.empty();
            case Exportable other -> {
                other.drop();
                yield Optional.empty();
            }
        };
    }

    /** The number by which this process exports the life of the object; 0 if it does not. */
    long lifeNumber() {
        return life.map(TeamLife::id).orElse(0L);
    }

    /** The number of GPUs that are added to the object. */
    int members() {
        return members;
    }

    @Override
    public DeviceContext context() {
        return context;
    }

    @Override
    public int exportDescriptor() {
        return memory.exportDescriptor();
    }

    /** The driver's handle of the object. */
    PhysicalMemory memory() {
        return memory;
    }

    /**
     * Records that a GPU of this process is added.
     *
     * @throws UnsupportedException if it was added before: two ranks use it
     */
    synchronized void adding(int ordinal) {
        if (!added.add(ordinal)) {
            throw new UnsupportedException("two ranks use GPU " + ordinal
                    + ", which can be a member of a multicast object once; give each rank a GPU of its own");
        }
    }

    /**
     * Keeps memory that is to be bound until the handle is released: kernels of other members may store to it after its
     * owner has freed it.
     *
     * @throws IllegalStateException if it has been freed
     */
    synchronized void keep(DeviceBlock block) {
        if (!block.tryHold()) {
            throw new IllegalStateException("the memory that is to be bound has been freed");
        }
        kept.add(block);
    }

    @Override
    protected void free() {
        life.ifPresentOrElse(
                team -> {
                    team.drop();
                    LeftObjects.release(team, this::release);
                },
                this::release);
    }

    /** Releases the handle, and with it what this process has bound. */
    private void release() {
        try (context) {
            context.run(memory::release);
        } finally {
            kept().forEach(DeviceBlock::drop);
        }
    }

    private synchronized List<DeviceBlock> kept() {
        return List.copyOf(kept);
    }
}
