package org.mscclj.runtime.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.FileProblem;
import org.mscclj.plan.folder.FolderTrust;
import org.mscclj.runtime.time.Deadline;
import org.mscclj.spi.waiting.Backoff;

/**
 * A store in a folder: a file for each key, which is replaced as a whole. Writers take turns by a lock, which the
 * operating system releases when its holder ends; readers need no lock.
 */
public final class FileStore implements Store {
    /** Maximum time to wait for a turn. A turn takes a moment; a process that holds it for this long is stopped. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final long FIRST_PAUSE_NANOS = 1_000_000;
    private static final long MAX_PAUSE_NANOS = 50_000_000;

    private final StoreFolder folder;
    private volatile boolean closed;

    /** Creates a store in a folder. */
    public FileStore(Path folder) {
        this(folder, TIMEOUT);
    }

    /** Creates a store with a timeout for its turn. */
    FileStore(Path folder, Duration timeout) {
        this(folder, timeout, FolderTrust.ofUser());
    }

    /** Creates a store of a user, in a test. */
    FileStore(Path folder, Duration timeout, FolderTrust trust) {
        this.folder = StoreFolder.open(folder, timeout, trust);
    }

    @Override
    public void set(String key, byte[] value) {
        require(key);
        StoreRules.requireValue(key, value);
        try (StoreFolder.Turn _ = folder.turn()) {
            folder.replace(key, value);
        } catch (IOException e) {
            throw failed("set key " + key, e);
        }
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(timeout, "timeout");
        return poll(key, timeout, () -> find(key).orElse(null));
    }

    @Override
    public Optional<byte[]> find(String key) {
        require(key);
        try {
            return Optional.of(folder.read(key));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw failed("read key " + key, e);
        }
    }

    @Override
    public long add(String key, long amount) {
        require(key);
        try (StoreFolder.Turn _ = folder.turn()) {
            long sum = StoreRules.sum(key, find(key).orElse(null), amount);
            folder.replace(key, StoreRules.text(sum));
            return sum;
        } catch (IOException e) {
            throw failed("add to key " + key, e);
        }
    }

    @Override
    public void await(List<String> keys, Duration timeout) {
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(timeout, "timeout");
        Deadline deadline = Deadline.after(timeout);
        for (String key : keys) {
            boolean _ = poll(key, deadline, timeout, () -> folder.has(key) ? Boolean.TRUE : null);
        }
        if (!keys.stream().allMatch(folder::has)) { // a key was deleted while this thread waited for another one
            await(keys, Duration.ofNanos(deadline.left()));
        }
    }

    private <T> T poll(String key, Duration timeout, Supplier<@Nullable T> answer) {
        return poll(key, Deadline.after(timeout), timeout, answer);
    }

    private <T> T poll(String key, Deadline deadline, Duration timeout, Supplier<@Nullable T> answer) {
        Backoff pauses = Backoff.napping(FIRST_PAUSE_NANOS, MAX_PAUSE_NANOS);
        pauses.start(deadline.left());
        while (true) {
            require(key);
            T found = answer.get();
            if (found != null) {
                return found;
            }
            if (!pauses.pause("waiting for key " + key)) {
                throw StoreRules.timedOut(this, key, timeout);
            }
        }
    }

    @Override
    public boolean delete(String key) {
        require(key);
        try (StoreFolder.Turn _ = folder.turn()) {
            return Files.deleteIfExists(folder.file(key));
        } catch (IOException e) {
            throw failed("delete key " + key, e);
        }
    }

    private void require(String key) {
        if (closed) {
            throw StoreRules.closed(this);
        }
        StoreRules.requireKey(key);
    }

    private BackendException failed(String what, IOException e) {
        return new BackendException(
                this + " cannot " + what + ": " + FileProblem.of(e) + "; look whether it is there and writable", e);
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "the store in " + folder;
    }
}
