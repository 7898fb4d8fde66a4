package org.mscclj.gpu.queue;

import java.util.ArrayList;
import java.util.List;

/** The words in which kernels of a communicator may request an abort. Safe for use by several threads. */
public final class AbortWords {
    private volatile List<AbortWord> words = List.of();

    /** Reads a word, whether or not a caller waits for its kernels, until {@link #remove}. */
    public synchronized void add(AbortWord word) {
        List<AbortWord> more = new ArrayList<>(words);
        more.add(word);
        words = List.copyOf(more);
    }

    /** Undoes {@link #add}. */
    public synchronized void remove(AbortWord word) {
        List<AbortWord> fewer = new ArrayList<>(words);
        fewer.remove(word);
        words = List.copyOf(fewer);
    }

    /** Aborts the communicator if a kernel has requested that. Allocates nothing. */
    public void poll() {
        List<AbortWord> known = words; // a word that is removed meanwhile requests nothing
        for (int i = 0; i < known.size(); i++) {
            AbortWord word = known.get(i);
            if (word.isAsked()) {
                boolean _ = word.look();
            }
        }
    }
}
