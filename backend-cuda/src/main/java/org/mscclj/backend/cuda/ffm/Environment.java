package org.mscclj.backend.cuda.ffm;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * The environment of this process as libraries see it, which is not what {@link System#getenv} gives: that was copied
 * at the start.
 */
public final class Environment {
    private Environment() {}

    private static final class Functions {
        static final MethodHandle SETENV = bind();

        @SuppressWarnings("restricted") // what this class is for
        private static MethodHandle bind() {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("setenv"),
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
        }
    }

    /** Gives a variable a value unless it has one. To be called before the libraries that read it start threads. */
    public static void setDefault(String name, String value) {
        try (Arena arena = Arena.ofConfined()) {
            int _ = (int) Functions.SETENV.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 0);
        } catch (Throwable e) {
            throw NativeLibrary.rethrown(e);
        }
    }
}
