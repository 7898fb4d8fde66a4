package org.mscclj.backend.host.kernel.variant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Copies of a class that differ in a constant.
 *
 * <p>A kernel's loop is written once, over an element type and an operator. Run as such, all kernels would share the
 * loop's type profile, its calls would become megamorphic, and each element would cost several virtual calls (vectors
 * would be allocated, too). So each kernel is a hidden class of its own, defined from one class file; type and operator
 * are its <em>class data</em>, a constant for the compiler, which inlines them. A copy is not a nest mate of its
 * template: it must not use private members of classes nested in the template.
 */
public final class KernelTemplate {
    private static final MethodType CONSTRUCTOR = MethodType.methodType(void.class);

    private KernelTemplate() {}

    /**
     * Returns a new instance of a new copy of {@code template}.
     *
     * @param lookup the full access of the template's package
     * @param template a class with a constructor without parameters that reads its constant by {@link #constant}
     */
    public static <T> T instantiate(
            MethodHandles.Lookup lookup, Class<T> type, Class<? extends T> template, Object constant) {
        try {
            MethodHandles.Lookup copy = lookup.defineHiddenClassWithClassData(classFile(template), constant, true);
            return type.cast(
                    copy.findConstructor(copy.lookupClass(), CONSTRUCTOR).invoke());
        } catch (Throwable e) { // what the handle of a constructor declares
            throw new LinkageError("cannot specialise " + template.getName(), e);
        }
    }

    /** Returns the constant of this copy; called in the static initialiser of a template. */
    public static <T> T constant(MethodHandles.Lookup lookup, Class<T> type) {
        try {
            return MethodHandles.classData(lookup, "_", type);
        } catch (IllegalAccessException e) {
            throw new LinkageError("no constant in " + lookup, e);
        }
    }

    private static byte[] classFile(Class<?> template) {
        String name = template.getName();
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream in = template.getResourceAsStream(file)) {
            if (in == null) {
                throw new LinkageError("no class file of " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
