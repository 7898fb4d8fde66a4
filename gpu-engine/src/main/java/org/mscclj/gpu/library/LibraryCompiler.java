package org.mscclj.gpu.library;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.gpu.driver.RuntimeCompiler;

/** A compiler that is a {@link CompilerLibrary}. The library is sought at the first use, since options need none. */
public abstract class LibraryCompiler implements RuntimeCompiler {
    private final Supplier<CompilerLibrary> library;
    private final Supplier<String> naming;
    private volatile @Nullable Loaded loaded;

    /**
     * Creates a compiler, of which a process has one for each library.
     *
     * @param library finds the library, and returns the same one each time
     * @param naming returns the name with its version, if there is a library
     */
    protected LibraryCompiler(Supplier<CompilerLibrary> library, Supplier<String> naming) {
        this.library = library;
        this.naming = naming;
    }

    private record Loaded(String name, SourceCompiler compiler) {}

    @Override
    public final Optional<String> unavailable() {
        return library.get().missing();
    }

    @Override
    public final String name() {
        return loaded().name();
    }

    @Override
    public byte[] compile(String name, String source, List<String> options) {
        return loaded().compiler().compile(name, source, options);
    }

    private Loaded loaded() {
        Loaded known = loaded;
        return known == null ? load() : known;
    }

    private synchronized Loaded load() {
        Loaded known = loaded;
        if (known == null) {
            unavailable().ifPresent(reason -> {
                throw new UnsupportedException(reason);
            });
            String name = naming.get();
            known = new Loaded(name, new SourceCompiler(library.get(), name));
            loaded = known;
        }
        return known;
    }
}
