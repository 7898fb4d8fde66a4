package org.mscclj.gpu.multicast;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.descriptor.DescriptorClient;
import org.mscclj.gpu.mapping.Exportable;
import org.mscclj.gpu.mapping.Exports;
import org.mscclj.posix.NativeFile;
import org.mscclj.posix.Pipe;

/**
 * Whether processes still use a multicast object. Each has an end of one pipe for writing, and writes nothing, until it
 * leaves or ends. So the system itself tells the others of the last one, however it has ended.
 */
final class TeamLife implements Exportable {
    private final long number = Exports.nextId();
    private final DeviceContext context;
    private final Pipe pipe;
    private boolean left;

    private TeamLife(DeviceContext context, Pipe pipe) {
        this.context = context;
        this.pipe = pipe;
    }

    /** Creates the life of a new object, of which this process is a user. */
    static TeamLife create(DeviceContext context) {
        TeamLife made = new TeamLife(context, Pipe.create());
        Exports.add(made.number, made);
        return made;
    }

    /** Makes this process a user of the object of another process. */
    static TeamLife join(DeviceContext context, DescriptorClient.Exported wanted) {
        return new TeamLife(context, Pipe.ofWriter(DescriptorClient.descriptor(wanted)));
    }

    /** The number by which this process exports it. */
    long number() {
        return number;
    }

    @Override
    public DeviceContext context() {
        return context;
    }

    @Override
    public int exportDescriptor() {
        return pipe.anotherWriter();
    }

    @Override
    public synchronized boolean tryHold() {
        return !left;
    }

    @Override
    public void drop() {
        // held for a moment only; it ends when this process leaves
    }

    /** Ends the use by this process. Called once. */
    void leave() {
        synchronized (this) {
            left = true;
        }
        Exports.remove(number);
        int _ = NativeFile.close(pipe.writing());
    }

    /** Whether no process uses the object any more. Called after {@link #leave}. */
    boolean hasEnded() {
        return pipe.hasEnded();
    }

    /** Frees the descriptor that is left. Called once, last. */
    void close() {
        int _ = NativeFile.close(pipe.reading());
    }
}
