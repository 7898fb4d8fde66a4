package org.mscclj.gpu.multicast;

import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.descriptor.DescriptorClient;
import org.mscclj.gpu.mapping.Exportable;
import org.mscclj.posix.NativeFile;
import org.mscclj.posix.Pipe;

/**
 * Whether processes still use a multicast object. Each has an end of one pipe for writing, and writes nothing, until it
 * drops its end or the process ends. So the system itself tells the others of the last one, however it has ended.
 */
final class TeamLife extends Exportable {
    private final DeviceContext context;
    private final Pipe pipe;

    private TeamLife(DeviceContext context, Pipe pipe) {
        this.context = context;
        this.pipe = pipe;
    }

    /** Creates the life of a new object, of which this process is a user. */
    static TeamLife create(DeviceContext context) {
        TeamLife made = new TeamLife(context, Pipe.create());
        made.export();
        return made;
    }

    /** Makes this process a user of the object of another process. */
    static TeamLife join(DeviceContext context, DescriptorClient.Exported wanted) {
        return new TeamLife(context, Pipe.ofWriter(DescriptorClient.descriptor(wanted)));
    }

    @Override
    public DeviceContext context() {
        return context;
    }

    @Override
    public int exportDescriptor() {
        return pipe.anotherWriter();
    }

    /** Ends the use by this process, once no thread passes an end on to another process. */
    @Override
    protected void free() {
        int _ = NativeFile.close(pipe.writing());
    }

    /** Whether no process uses the object any more. Called when this process has dropped it. */
    boolean hasEnded() {
        return pipe.hasEnded();
    }

    /** Frees the descriptor that is left. Called once, last. */
    void close() {
        int _ = NativeFile.close(pipe.reading());
    }
}
