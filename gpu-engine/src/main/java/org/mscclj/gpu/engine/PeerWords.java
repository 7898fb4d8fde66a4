package org.mscclj.gpu.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.mscclj.spi.engine.AbortFlag;

/** For each rank that kernels wait for in a window, the word that ends these waits. */
final class PeerWords implements AutoCloseable {
    private final List<AbortWord> words = new ArrayList<>();
    private final List<Long> addresses = new ArrayList<>();

    /**
     * Words that follow flags.
     *
     * @param rank this rank
     * @param ends a flag for each rank
     * @param awaited whether kernels wait for a rank
     * @param pool where words are taken from
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

    /** Where the words lie, by rank, as the GPU sees them; 0 for ranks that are not awaited. */
    List<Long> addresses() {
        return addresses;
    }

    /** No kernel reads them any more. */
    @Override
    public void close() {
        words.forEach(AbortWord::close);
    }
}
