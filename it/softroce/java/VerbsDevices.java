import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/** Prints the name of each device that libibverbs lists. */
public final class VerbsDevices {
    private static final long LONGEST_NAME = 64;

    private VerbsDevices() {}

    public static void main(String[] arguments) throws Throwable {
        try (var arena = Arena.ofConfined()) {
            var library = SymbolLookup.libraryLookup("libibverbs.so.1", arena);
            var linker = Linker.nativeLinker();
            var list = linker.downcallHandle(
                    library.findOrThrow("ibv_get_device_list"), FunctionDescriptor.of(ADDRESS, ADDRESS));
            var name = linker.downcallHandle(
                    library.findOrThrow("ibv_get_device_name"), FunctionDescriptor.of(ADDRESS, ADDRESS));
            var count = arena.allocate(JAVA_INT);
            var devices = (MemorySegment) list.invokeExact(count);
            devices = devices.reinterpret(ADDRESS.byteSize() * count.get(JAVA_INT, 0));
            for (var i = 0; i < count.get(JAVA_INT, 0); i++) {
                var text = (MemorySegment) name.invokeExact(devices.getAtIndex(ADDRESS, i));
                System.out.println(
                        "device " + text.reinterpret(LONGEST_NAME).getString(0));
            }
        }
    }
}
