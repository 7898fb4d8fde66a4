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
    public void close() {}
}
