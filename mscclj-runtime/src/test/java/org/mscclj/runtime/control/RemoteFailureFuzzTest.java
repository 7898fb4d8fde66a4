package org.mscclj.runtime.control;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.error.AbortedException;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.OperationTimeoutException;
import org.mscclj.api.error.RankLostException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.runtime.fuzz.Fuzz;

/** Decoding what another rank has failed of is total. */
class RemoteFailureFuzzTest {
    static Stream<RuntimeException> failures() {
        return Stream.of(
                new InvalidArgumentException("refused"),
                new UnsupportedException("unsupported"),
                new AbortedException("aborted"),
                new RankLostException(2, "lost"),
                new OperationTimeoutException("late", List.of(1, 2)),
                new BackendException("failed", 700, "CUDA_ERROR"),
                new IllegalStateException("defect"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void changedFailuresAreDecodedOrRefused(RuntimeException failure) {
        Fuzz.run(
                failure.getClass().getSimpleName(),
                List.of(RemoteFailure.encode(failure)),
                message -> RemoteFailure.decode(message, 1, 0));
    }
}
