package org.mscclj.backend.cuda.driver;

import java.util.OptionalInt;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import jcuda.CudaException;
import jcuda.driver.CUresult;
import org.mscclj.api.error.BackendException;

/** What functions of JCuda give back, or throw. */
final class JcudaResult {
    /** More than there are. */
    private static final int RESULTS = 1_000;

    private JcudaResult() {}

    /**
     * The result of JCuda, which gives results back or throws, as the application has chosen for all of it.
     *
     * @param function what is called
     * @throws BackendException if it throws something that is no result
     */
    static int of(IntSupplier call, String function) {
        try {
            return call.getAsInt();
        } catch (CudaException e) {
            return resultOf(e).orElseThrow(() -> new BackendException(function + " failed: " + e.getMessage(), e));
        }
    }

    /** JCuda says nothing but the name. */
    private static OptionalInt resultOf(CudaException failure) {
        return IntStream.range(0, RESULTS)
                .filter(result -> CUresult.stringFor(result).equals(failure.getMessage()))
                .findFirst();
    }
}
