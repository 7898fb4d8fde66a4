package org.mscclj.backend.cuda.driver;

import java.util.OptionalInt;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import jcuda.CudaException;
import jcuda.driver.CUresult;
import org.mscclj.api.error.BackendException;

/** Converts the outcome of a JCuda function, a result or an exception, to a result. */
final class JcudaResult {
    /** Greater than all results. */
    private static final int RESULTS = 1_000;

    private JcudaResult() {}

    /**
     * Calls a function and returns its result. JCuda returns errors or throws them, as the application has configured
     * it globally.
     *
     * @param function the function's name in messages
     * @throws BackendException if it throws something that is no result
     */
    static int of(IntSupplier call, String function) {
        try {
            return call.getAsInt();
        } catch (CudaException e) {
            return resultOf(e).orElseThrow(() -> new BackendException(function + " failed: " + e.getMessage(), e));
        }
    }

    /** Finds the result by its name, because JCuda's exception contains only the name. */
    private static OptionalInt resultOf(CudaException failure) {
        return IntStream.range(0, RESULTS)
                .filter(result -> CUresult.stringFor(result).equals(failure.getMessage()))
                .findFirst();
    }
}
