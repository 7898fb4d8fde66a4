package org.mscclj.cli.measure;

import java.time.Duration;
import org.mscclj.api.PreparedOperation;

/**
 * Launches that follow one another without a pause, from the calling thread.
 *
 * @param operation the operation to launch
 * @param launches the number of launches
 */
record EagerBatch(PreparedOperation operation, int launches) implements Batch {
    @Override
    public void run(Duration timeout) {
        for (int i = 0; i < launches; i++) {
            operation.run(timeout);
        }
    }

    @Override
    public long time(SampleSize size, Duration timeout) {
        for (int i = 0; i < size.leadIn(); i++) {
            run(timeout);
        }
        long start = System.nanoTime();
        for (int i = 0; i < size.repeats(); i++) {
            run(timeout);
        }
        return System.nanoTime() - start;
    }

    @Override
    public void close() {}
}
