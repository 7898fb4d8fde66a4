import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;

/** The interpreter of CPython in this process. There is one, it stays until the process ends, and any thread may run code in it. */
final class Python {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final int RTLD_NOW = 2;
    private static final int RTLD_GLOBAL = 0x100;

    /** Asked of the executable, since a library that another program loads knows nothing of virtual environments. */
    private static final String WHERE =
            """
            import os, sys, sysconfig
            print(os.path.join(sysconfig.get_config_var('LIBDIR'), sysconfig.get_config_var('INSTSONAME')))
            print(sys.base_prefix)
            print(sys.path)
            """;

    private final MethodHandle ensure;
    private final MethodHandle release;
    private final MethodHandle runString;

    private Python(SymbolLookup library) {
        ensure = function(library, "PyGILState_Ensure", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        release = function(library, "PyGILState_Release", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        runString = function(
                library,
                "PyRun_SimpleString",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    /** Starts the interpreter that an executable, {@code python3} for example, would start. */
    static Python start(String executable) throws Throwable {
        List<String> where = ask(executable);
        SymbolLookup library = open(Path.of(where.get(0)));
        MethodHandle setEnvironment = function(
                LINKER.defaultLookup(),
                "setenv",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            int _ = (int) setEnvironment.invokeExact(
                    arena.allocateFrom("PYTHONHOME"), arena.allocateFrom(where.get(1)), 1);
        }
        // 0: signals stay with the VM. The lock that this thread then has is given back, for whoever runs code next.
        function(library, "Py_InitializeEx", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT)).invokeExact(0);
        MemorySegment _ = (MemorySegment) function(
                        library, "PyEval_SaveThread", FunctionDescriptor.of(ValueLayout.ADDRESS))
                .invokeExact();
        Python python = new Python(library);
        python.run("import sys; sys.path[:] = " + where.get(2));
        return python;
    }

    /** Runs statements in the module {@code __main__}, which all threads share. Exceptions of Python are printed, and thrown as one of Java. */
    void run(String code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(code);
            int state = (int) ensure.invokeExact();
            int result = (int) runString.invokeExact(text);
            release.invokeExact(state);
            if (result != 0) {
                throw new IllegalStateException("Python could not run: " + code);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> ask(String executable) throws IOException {
        Process process = new ProcessBuilder(executable, "-c", WHERE)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = process.inputReader().lines().toList();
        if (lines.size() != 3) {
            throw new IOException(executable + " does not say where its library is: " + lines);
        }
        return lines;
    }

    /** With its symbols for everybody: modules of Python look for them without saying where. */
    private static SymbolLookup open(Path library) throws Throwable {
        MethodHandle open = function(
                LINKER.defaultLookup(),
                "dlopen",
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = (MemorySegment)
                    open.invokeExact(arena.allocateFrom(library.toString()), RTLD_NOW | RTLD_GLOBAL);
            if (handle.equals(MemorySegment.NULL)) {
                throw new IOException("no library " + library + "; this Python was built without one, or its"
                        + " package is not installed");
            }
        }
        return SymbolLookup.libraryLookup(library, Arena.global());
    }

    private static MethodHandle function(SymbolLookup library, String name, FunctionDescriptor type) {
        return LINKER.downcallHandle(library.findOrThrow(name), type);
    }
}
