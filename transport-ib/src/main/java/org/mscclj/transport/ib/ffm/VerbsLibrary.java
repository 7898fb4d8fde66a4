package org.mscclj.transport.ib.ffm;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.Errno;
import org.mscclj.posix.FunctionPointer;
import org.mscclj.posix.FunctionPointer.Outcome;
import org.mscclj.posix.NativeAccess;
import org.mscclj.posix.NativeLibrary;
import org.mscclj.posix.PosixSupport;
import org.mscclj.spi.library.LibrarySearch;

/**
 * The library libibverbs of rdma-core. It is loaded at the first use, and may be missing.
 *
 * <p>Structures have the layout of rdma-core since its version 17, and of every distribution since 2018.
 */
public final class VerbsLibrary {
    /** The variable that names the library's file, or its folder. */
    public static final String VARIABLE = "MSCCLJ_IBVERBS_LIB";

    private static final String INSTALL = "; install libibverbs and its providers (Debian and Ubuntu: libibverbs1 and"
            + " ibverbs-providers), or set " + VARIABLE + " to the file";

    private final Map<VerbsFunction, FunctionPointer> functions;
    private final Optional<String> problem;

    private VerbsLibrary(Map<VerbsFunction, FunctionPointer> functions, Optional<String> problem) {
        this.functions = functions;
        this.problem = problem;
    }

    private static final class Installed {
        static final VerbsLibrary LIBRARY = load(LibrarySearch.named("libibverbs.so.1")
                .variables(VARIABLE, "MSCCLPP_IBV_SO")
                .folders("/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/local/lib"));

        private Installed() {}
    }

    /** Returns the library of this process. Loads it at the first call. */
    public static VerbsLibrary installed() {
        return Installed.LIBRARY;
    }

    /** Loads the first library of a search. Never throws: {@link #problem} describes a failure. */
    static VerbsLibrary load(LibrarySearch search) {
        Optional<String> refusal = PosixSupport.missing().or(NativeAccess::refusal);
        if (refusal.isPresent()) {
            return new VerbsLibrary(Map.of(), refusal);
        }
        String missing = search.notFound() + INSTALL;
        NativeLibrary library = NativeLibrary.find(search.candidates(), missing, UnsupportedException::new);
        String where = library.where().orElse("");
        if (where.isEmpty()) {
            return new VerbsLibrary(Map.of(), Optional.of(missing));
        }
        Map<VerbsFunction, FunctionPointer> found = new EnumMap<>(VerbsFunction.class);
        for (VerbsFunction function : VerbsFunction.values()) {
            library.pointer(function.symbol()).ifPresent(pointer -> found.put(function, pointer));
            if (!found.containsKey(function) && function != VerbsFunction.REG_DMABUF_MR) {
                return new VerbsLibrary(
                        Map.of(), Optional.of(where + " has no function " + function.symbol() + INSTALL));
            }
        }
        return new VerbsLibrary(found, Optional.empty());
    }

    /** Returns why the library cannot be used, and what to do; empty if it can be used. */
    public Optional<String> problem() {
        return problem;
    }

    private FunctionPointer function(VerbsFunction name) {
        FunctionPointer function = functions.get(name);
        if (function == null) {
            throw new UnsupportedException(
                    problem.orElse("libibverbs has no " + name.symbol() + "; install rdma-core 34 or newer"));
        }
        return function;
    }

    /**
     * Calls a function that returns a pointer.
     *
     * @throws BackendException if it returns a null pointer
     */
    long pointer(VerbsFunction function, long... arguments) {
        Outcome outcome = function(function).invoke(arguments);
        if (outcome.value() == 0) {
            throw failure(function.symbol(), outcome.errno());
        }
        return outcome.value();
    }

    /** Calls a function that returns 0 or an error, and returns this result. */
    int tryCall(VerbsFunction function, long... arguments) {
        Outcome outcome = function(function).invoke(arguments);
        int result = outcome.intValue();
        return result == -1 ? outcome.errno() : Math.abs(result);
    }

    /**
     * Calls a function that returns 0 or an error.
     *
     * @throws BackendException if it fails
     */
    void call(VerbsFunction function, long... arguments) {
        int error = tryCall(function, arguments);
        if (error != 0) {
            throw failure(function.symbol(), error);
        }
    }

    /** Calls a function that returns nothing of interest. */
    void perform(VerbsFunction function, long... arguments) {
        function(function).invoke(arguments);
    }

    /** Returns the exception for a failed call. */
    static BackendException failure(String what, int errno) {
        return new BackendException(
                what + " failed: " + Errno.describe(errno) + advice(errno), errno, Errno.name(errno));
    }

    private static String advice(int errno) {
        return switch (errno) {
            case ENOMEM, EAGAIN ->
                "; memory that an adapter reads must stay in place: raise the limit of locked memory"
                        + " (ulimit -l unlimited; in containers --ulimit memlock=-1), or use less memory";
            case EACCES, EPERM ->
                "; give the process access to /dev/infiniband (in containers --device=/dev/infiniband)";
            default -> "";
        };
    }

    private static final int EPERM = 1;
    private static final int ENOMEM = 12;
    private static final int EAGAIN = Errno.EAGAIN;
    private static final int EACCES = Errno.EACCES;
}
