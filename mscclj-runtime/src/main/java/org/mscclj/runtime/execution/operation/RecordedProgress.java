package org.mscclj.runtime.execution.operation;

import java.util.List;
import org.mscclj.runtime.execution.context.LaunchContext;
import org.mscclj.runtime.execution.environment.ExecutionEnvironment;
import org.mscclj.runtime.recorder.RecordedOperation;
import org.mscclj.spi.engine.PreparedLaunch;
import org.mscclj.spi.transfer.PendingTransfer;

/** The progress of the launches of an operation, for the recorder. */
record RecordedProgress(ExecutionEnvironment environment, LaunchContext context, PreparedLaunch launch)
        implements RecordedOperation.Progress {
    @Override
    public boolean isEnded(long number) {
        return launch.isEnded(number);
    }

    @Override
    public long atWork() {
        int rank = environment.control().rank();
        long begun = context.started(rank);
        return begun > context.finished(rank) ? begun : 0;
    }

    @Override
    public Object plan() {
        return context;
    }

    @Override
    public long ofAnybodyAtWork() {
        return context.atWork();
    }

    @Override
    public List<Integer> behind() {
        return context.behind(
                environment.control().rank(), environment.control().size());
    }

    @Override
    public List<PendingTransfer> pending() {
        return launch.pending();
    }

    @Override
    public List<PendingTransfer> pendingOfReplay() {
        return launch.pendingOfReplay();
    }
}
