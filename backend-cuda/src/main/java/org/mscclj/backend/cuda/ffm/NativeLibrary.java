package org.mscclj.backend.cuda.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;

/**
 * A library that may be missing. Functions of a missing library, and functions that an old library lacks, can be bound
 * too: calling them throws.
 *
 * @param where the file or the name by which it was found; empty if it was not found
 * @param missing the message for users if it was not found, or lacks a function
 * @param symbols its functions; empty if it was not found
 */
record NativeLibrary(Optional<String> where, String missing, Optional<SymbolLookup> symbols) {
    private static final MethodHandle REFUSE;

    static {
        try {
            REFUSE = MethodHandles.lookup()
                    .findStatic(NativeLibrary.class, "refuse", MethodType.methodType(Object.class, String.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The first of the candidates that can be loaded. A candidate with a slash is a file, others are names for the
     * dynamic loader.
     */
    static NativeLibrary find(List<String> candidates, String missing) {
        for (String candidate : candidates) {
            Optional<SymbolLookup> symbols = load(candidate);
            if (symbols.isPresent()) {
                return new NativeLibrary(Optional.of(candidate), missing, symbols);
            }
        }
        return new NativeLibrary(Optional.empty(), missing, Optional.empty());
    }

    @SuppressWarnings("restricted") // the purpose of this class
    private static Optional<SymbolLookup> load(String candidate) {
        try {
            return Optional.of(
                    candidate.contains("/")
                            ? SymbolLookup.libraryLookup(Path.of(candidate), Arena.global())
                            : SymbolLookup.libraryLookup(candidate, Arena.global()));
        } catch (IllegalArgumentException
                | IllegalCallerException _) { // it is missing, or this module may not call native code
            return Optional.empty();
        }
    }

    /** Whether the library was found and has the function. */
    boolean has(String function) {
        return symbols.flatMap(library -> library.find(function)).isPresent();
    }

    /** Binds a function of the library; the result throws {@link UnsupportedException} if the function is missing. */
    @SuppressWarnings("restricted") // the purpose of this class
    MethodHandle bind(String function, FunctionDescriptor descriptor) {
        return symbols.flatMap(library -> library.find(function))
                .map(address -> Linker.nativeLinker().downcallHandle(address, descriptor))
                .orElseGet(() -> refusing(function, descriptor.toMethodType()));
    }

    private MethodHandle refusing(String function, MethodType type) {
        String message = where.map(file -> file + " has no function " + function + "; " + missing)
                .orElse(missing);
        MethodHandle thrower = REFUSE.bindTo(message).asType(MethodType.methodType(type.returnType()));
        return MethodHandles.dropArguments(thrower, 0, type.parameterList());
    }

    @SuppressWarnings("unused") // called through REFUSE
    private static Object refuse(String message) {
        throw new UnsupportedException(message);
    }
}
