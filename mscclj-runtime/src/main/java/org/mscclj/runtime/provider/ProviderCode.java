package org.mscclj.runtime.provider;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Provider;

/**
 * Calls the code of providers. If that code must not call native code, or cannot be linked, the failure names the
 * remedy. The JVM throws such a failure as an {@link ExceptionInInitializerError} the first time, and as a
 * {@link NoClassDefFoundError} each time after it.
 */
public final class ProviderCode {
    private ProviderCode() {}

    /** Asks a provider whether it can be used. A provider that throws cannot. */
    static Availability probe(Provider provider) {
        try {
            return provider.probe();
        } catch (RuntimeException | LinkageError e) {
            return Availability.unavailable(reason(provider, e));
        }
    }

    /**
     * Makes a provider check its variables. A provider that cannot be linked checks none: {@link #probe} reports that.
     */
    static void requireValid(Provider provider, Map<String, String> environment) {
        try {
            provider.requireValid(environment);
        } catch (IllegalCallerException | LinkageError _) {
            // reported by the probe
        }
    }

    /**
     * Opens an object of a provider.
     *
     * @throws UnsupportedException if its code must not call native code, or cannot be linked; the exception names the
     *     remedy
     */
    public static <T> T open(Provider provider, Supplier<T> opening) {
        try {
            return opening.get();
        } catch (IllegalCallerException | LinkageError e) {
            throw new UnsupportedException(provider.name() + " cannot be used: " + reason(provider, e), e);
        }
    }

    private static String reason(Provider provider, Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (isRefusedNativeAccess(cause)) {
                return nativeAccess(provider, cause);
            }
        }
        return failure
                + (failure instanceof LinkageError
                        ? "; check that its artifact and the libraries it needs are there in matching versions"
                        : "");
    }

    /**
     * Returns whether native access was refused. Also recognizes a class whose initializer failed earlier: its error
     * keeps only the text of that failure.
     */
    private static boolean isRefusedNativeAccess(Throwable failure) {
        if (failure instanceof IllegalCallerException) {
            return true;
        }
        @Nullable String text = failure.getMessage();
        return failure instanceof ExceptionInInitializerError
                && text != null
                && text.contains(IllegalCallerException.class.getName());
    }

    private static String nativeAccess(Provider provider, Throwable refusal) {
        Module module = provider.getClass().getModule();
        return (module.isNamed() ? "module " + module.getName() : "code on the class path")
                + " may not call native code (" + refusal.getMessage() + "); start Java with --enable-native-access="
                + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
    }
}
