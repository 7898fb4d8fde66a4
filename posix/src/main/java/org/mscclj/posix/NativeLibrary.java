package org.mscclj.posix;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A library that may be missing. Functions of a missing library, and functions that an old library lacks, can be bound
 * too: calling them throws.
 *
 * @param where the file or the name by which it was found; empty if it was not found
 * @param missing the message for users if it was not found, or lacks a function
 * @param symbols its functions; empty if it was not found
 * @param refusal creates the exception that a call of a missing function throws, from its message
 */
public record NativeLibrary(
        Optional<String> where,
        String missing,
        Optional<SymbolLookup> symbols,
        Function<String, RuntimeException> refusal) {
    private static final MethodHandle REFUSE;

    static {
        try {
            REFUSE = MethodHandles.lookup()
                    .findStatic(
                            NativeLibrary.class,
                            "refuse",
                            MethodType.methodType(Object.class, Function.class, String.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The first of the candidates that can be loaded. A candidate with a slash is a file, others are names for the
     * dynamic loader.
     *
     * @param missing the message for users if none is found, or if it lacks a function
     * @param refusal creates the exception that a call of a missing function throws, from its message
     */
    public static NativeLibrary find(
            List<String> candidates, String missing, Function<String, RuntimeException> refusal) {
        for (String candidate : candidates) {
            Optional<SymbolLookup> symbols = load(candidate);
            if (symbols.isPresent()) {
                return new NativeLibrary(Optional.of(candidate), missing, symbols, refusal);
            }
        }
        return new NativeLibrary(Optional.empty(), missing, Optional.empty(), refusal);
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
    public boolean has(String function) {
        return symbols.flatMap(library -> library.find(function)).isPresent();
    }

    /** Returns a function of the library; empty if the library, or the function, is missing. */
    public Optional<FunctionPointer> pointer(String function) {
        return symbols.flatMap(library -> library.find(function)).map(FunctionPointer::new);
    }

    /** Binds a function of the library. If it is missing, calling the result throws the exception of the refusal. */
    @SuppressWarnings("restricted") // the purpose of this class
    public MethodHandle bind(String function, FunctionDescriptor descriptor) {
        return symbols.flatMap(library -> library.find(function))
                .map(address -> Linker.nativeLinker().downcallHandle(address, descriptor))
                .orElseGet(() -> refusing(function, descriptor.toMethodType()));
    }

    /** {@link #bind} of a function that returns an {@code int}. */
    public IntCall call(String function, MemoryLayout... parameters) {
        return new IntCall(bind(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters)));
    }

    /** {@link #bind} of a function that returns a constant text for an {@code int}. */
    public TextCall text(String function) {
        return new TextCall(bind(function, FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT)));
    }

    private MethodHandle refusing(String function, MethodType type) {
        String message = where.map(file -> file + " has no function " + function + "; " + missing)
                .orElse(missing);
        MethodHandle thrower = MethodHandles.insertArguments(REFUSE, 0, refusal, message)
                .asType(MethodType.methodType(type.returnType()));
        return MethodHandles.dropArguments(thrower, 0, type.parameterList());
    }

    @SuppressWarnings("unused") // called through REFUSE
    private static Object refuse(Function<String, RuntimeException> refusal, String message) {
        throw refusal.apply(message);
    }
}
