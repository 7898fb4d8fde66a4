package org.mscclj.runtime.store;

import java.nio.file.Path;
import org.mscclj.api.Stores;
import org.mscclj.api.bootstrap.Store;

/** Adds to a counter again and again, in a process of its own, and prints the sums. */
public final class AddToStore {
    private AddToStore() {}

    public static void main(String[] arguments) {
        try (Store store = Stores.file(Path.of(arguments[0]))) {
            for (int left = Integer.parseInt(arguments[1]); left > 0; left--) {
                System.out.println(store.add("counter", 1));
            }
        }
    }
}
