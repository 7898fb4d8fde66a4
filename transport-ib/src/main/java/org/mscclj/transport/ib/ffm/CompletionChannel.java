package org.mscclj.transport.ib.ffm;

import org.mscclj.posix.EventDescriptors;
import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.NativeMemory;
import org.mscclj.transport.ib.ffm.Layouts.CompChannel;

/** Announces completions by a descriptor ({@code struct ibv_comp_channel}), so that a thread can sleep. */
public final class CompletionChannel implements AutoCloseable {
    private final VerbsLibrary library;
    private final long handle;

    /** Creates a channel whose descriptor does not block. */
    public CompletionChannel(Adapter adapter) {
        this.library = adapter.library();
        this.handle = library.pointer(VerbsFunction.CREATE_COMP_CHANNEL, adapter.handle());
        int result = EventDescriptors.dontBlock(descriptor());
        if (result != 0) {
            close();
            throw VerbsLibrary.failure("fcntl of a completion channel", -result);
        }
    }

    /** Returns the descriptor that is readable while an event waits. */
    public int descriptor() {
        return NativeMemory.getInt(handle + CompChannel.FD);
    }

    long handle() {
        return handle;
    }

    /**
     * Takes an event, and acknowledges it. It says that a queue has completions:
     * {@linkplain CompletionQueue#requestEvent request} the next event first, and look at all queues of the channel
     * then.
     *
     * @return whether there was one
     */
    public boolean takeEvent() {
        try (HeapBlock block = HeapBlock.zeroed(2L * Long.BYTES, Long.BYTES)) {
            long queue = block.address();
            if (library.tryCall(VerbsFunction.GET_CQ_EVENT, handle, queue, queue + Long.BYTES) != 0) {
                return false;
            }
            library.perform(VerbsFunction.ACK_CQ_EVENTS, NativeMemory.getLong(queue), 1);
            return true;
        }
    }

    /** Frees the channel. Its queues must be closed already. */
    @Override
    public void close() {
        library.call(VerbsFunction.DESTROY_COMP_CHANNEL, handle);
    }
}
