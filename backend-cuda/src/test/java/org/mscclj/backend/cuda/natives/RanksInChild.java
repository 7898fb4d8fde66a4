package org.mscclj.backend.cuda.natives;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mscclj.backend.cuda.standin.ChildJvm;

/** Ranks on two GPUs of the stand-in for the driver, in a VM of their own. */
final class RanksInChild {
    private RanksInChild() {}

    /** Returns the line of a main class that begins with {@code after: }, which is its last one. */
    static String after(Class<?> main, String what) {
        List<String> lines = new ArrayList<>();
        try (ChildJvm jvm = new ChildJvm(
                main, ChildJvm.standIns(), Map.of("STANDIN_DEVICES", "2", "STANDIN_MULTIPROCESSORS", "132"), what)) {
            do {
                lines.add(jvm.hear());
            } while (!lines.getLast().startsWith("after: "));
        }
        return lines.getLast();
    }
}
