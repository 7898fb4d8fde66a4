package org.mscclj.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.NativeAlgorithm;
import org.mscclj.api.algorithm.CallKind;
import org.mscclj.api.algorithm.CallShape;
import org.mscclj.api.algorithm.LaunchSize;
import org.mscclj.api.device.Stream;
import org.mscclj.api.type.Collective;

class NativeAlgorithmsTest {
    private record Own(String name) implements NativeAlgorithm<AutoCloseable> {
        @Override
        public Collective collective() {
            return Collective.ALLREDUCE;
        }

        @Override
        public Optional<String> refusal(CallShape shape) {
            return Optional.empty();
        }

        @Override
        public AutoCloseable context(Communicator communicator, CallKind kind) {
            return () -> {};
        }

        @Override
        public void launch(AutoCloseable context, CollectiveCall call, LaunchSize size, Stream stream) {}
    }

    @SuppressWarnings("rawtypes") // a service has no type parameters
    private record Found(Supplier<NativeAlgorithm> making) implements ServiceLoader.Provider<NativeAlgorithm> {
        @Override
        public Class<Own> type() {
            return Own.class;
        }

        @Override
        public NativeAlgorithm get() {
            return making.get();
        }
    }

    @SuppressWarnings("rawtypes") // a service has no type parameters
    private static ServiceLoader.Provider<NativeAlgorithm> failing(Throwable failure) {
        return new Found(() -> {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        });
    }

    /** Each rank may find them in another order, and all must have the same first one. */
    @Test
    void theOrderIsThatOfNamesWhateverTheOrderInWhichTheyAreFound() {
        List<String> names = List.of("a", "b", "c");
        for (List<String> found : List.of(names, List.of("c", "b", "a"), List.of("b", "c", "a"))) {
            List<NativeAlgorithm<?>> created = NativeAlgorithms.create(
                    found.stream().map(name -> provider(new Own(name))).toList(), (type, failure) -> {
                        throw new AssertionError(type, failure);
                    });
            assertEquals(names, created.stream().map(NativeAlgorithm::name).toList());
        }
    }

    @Test
    void thoseThatCannotBeCreatedAreTold() {
        List<String> told = new ArrayList<>();
        List<NativeAlgorithm<?>> created = NativeAlgorithms.create(
                List.of(
                        failing(new ServiceConfigurationError("no constructor")),
                        provider(new Own("a")),
                        failing(new IllegalStateException("no library"))),
                (type, failure) -> told.add(type + ": " + failure.getMessage()));
        assertEquals(List.of(new Own("a")), created);
        assertEquals(List.of(Own.class.getName() + ": no constructor", Own.class.getName() + ": no library"), told);
    }

    @SuppressWarnings("rawtypes") // a service has no type parameters
    private static ServiceLoader.Provider<NativeAlgorithm> provider(Own own) {
        return new Found(() -> own);
    }
}
