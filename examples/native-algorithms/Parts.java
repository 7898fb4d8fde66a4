import java.util.ArrayDeque;
import java.util.Deque;

/** Things that are closed together, the last one first. */
final class Parts implements AutoCloseable {
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds a part, and returns it. */
    <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** Closes all parts. Throws the first exception, to which later ones are added. */
    @Override
    public void close() {
        RuntimeException failure = null;
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                if (failure != null) {
                    failure.addSuppressed(e);
                } else {
                    failure = e instanceof RuntimeException own ? own : new IllegalStateException(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
