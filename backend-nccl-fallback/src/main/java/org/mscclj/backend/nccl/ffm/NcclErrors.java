package org.mscclj.backend.nccl.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.mscclj.api.error.BackendException;
import org.mscclj.posix.ForeignCalls;

/** The texts of failures. */
final class NcclErrors {
    /** NCCL does not read the communicator, which may be gone. */
    private static final long NO_COMMUNICATOR = 0;

    private final boolean hasLastError;
    private final MethodHandle getErrorString;
    private final MethodHandle getLastError;

    NcclErrors(Binding binding) {
        hasLastError = binding.library().has(NcclFunction.GET_LAST_ERROR);
        getErrorString = binding.handle(NcclFunction.GET_ERROR_STRING, FunctionDescriptor.of(Binding.text(), JAVA_INT));
        getLastError = binding.handle(NcclFunction.GET_LAST_ERROR, FunctionDescriptor.of(Binding.text(), JAVA_LONG));
    }

    /**
     * Returns the exception for a failed call.
     *
     * @param function the name of the called function
     * @param result its result
     */
    BackendException failure(String function, int result) {
        String last = "";
        try {
            String text = ((MemorySegment) getErrorString.invokeExact(result)).getString(0);
            if (hasLastError) {
                last = ((MemorySegment) getLastError.invokeExact(NO_COMMUNICATOR)).getString(0);
            }
            return new BackendException(
                    function + " failed: " + text + (last.isBlank() ? "" : ": " + last.strip()),
                    result,
                    NcclResult.name(result));
        } catch (Throwable e) {
            throw ForeignCalls.rethrown(e);
        }
    }
}
