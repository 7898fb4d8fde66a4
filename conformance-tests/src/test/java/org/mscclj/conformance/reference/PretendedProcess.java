package org.mscclj.conformance.reference;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.conformance.rank.OwnProcess;

/** A rank that is a thread and acts as if it were a process. */
record PretendedProcess(ReferenceCommunicator communicator) implements OwnProcess {
    @Override
    public boolean canBeSignalled() {
        return true;
    }

    @Override
    public boolean canBeCutOff() {
        return true;
    }

    @Override
    public void kill() {
        lose(communicator.defect().lost(communicator.rank()));
        sleep(Long.MAX_VALUE);
    }

    @Override
    public void stop(int seconds) {
        communicator.launches().stopped();
        sleep(TimeUnit.SECONDS.toMillis(seconds));
        if (communicator.defect().losesWhoIsStopped()) {
            lose(communicator.rank());
        }
    }

    @Override
    public void cutOff() {
        lose(communicator.defect().cutOff(communicator.rank()));
    }

    private void lose(int lost) {
        communicator.launches().end(new RankLostException(lost, "rank " + lost + " is lost"));
    }

    private static void sleep(long millis) {
        try {
            new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AbortedException("interrupted", e);
        }
    }
}
