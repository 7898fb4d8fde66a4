package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.mscclj.gpu.queue.AbortWord;
import org.mscclj.gpu.queue.HostWords;
import org.mscclj.spi.engine.AbortFlag;

/** The words that end the waits of kernels in a window, one for each awaited rank. */
final class PeerWords implements AutoCloseable {
    private final List<AbortWord> words = new ArrayList<>();
    private final List<Long> addresses = new ArrayList<>();

    /**
     * Creates words that follow flags.
     *
     * @param rank this rank
     * @param ends a flag for each rank
     * @param awaited whether kernels wait for a rank
     * @param pool the pool that supplies the words
     */
    PeerWords(int rank, List<AbortFlag> ends, IntPredicate awaited, HostWords pool) {
        try {
            for (int peer = 0; peer < ends.size(); peer++) {
                addresses.add(awaited.test(peer) ? add(new AbortWord(rank, ends.get(peer), pool)) : 0);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private long add(AbortWord word) {
        words.add(word);
        return word.address();
    }

    /** The addresses of the words on the GPU, by rank; 0 for ranks that are not awaited. */
    List<Long> addresses() {
        return addresses;
    }

    /** Releases the words. No kernel may read them any more. */
    @Override
    public void close() {
        words.forEach(AbortWord::close);
    }
}
