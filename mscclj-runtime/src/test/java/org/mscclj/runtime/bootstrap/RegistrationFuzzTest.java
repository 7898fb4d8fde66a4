package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.runtime.fuzz.Fuzz;

/** Decoding what is said at the rendezvous is total. */
class RegistrationFuzzTest {
    static Stream<Registration> registrations() {
        InetAddress host = InetAddress.getLoopbackAddress();
        return Stream.of(
                new Registration.Came(5000, Duration.ofSeconds(3)),
                new Registration.Everybody(List.of(new Registration.Place(host, 1), new Registration.Place(host, 2))),
                new Registration.Connected(),
                new Registration.Formed(),
                new Registration.Failed(Registration.Failure.LOST, List.of(1), "message"));
    }

    @ParameterizedTest
    @MethodSource("registrations")
    void changedMessagesAreDecodedOrRefused(Registration said) {
        Fuzz.run(said.getClass().getSimpleName(), Registration.encode(said), IOException.class, message -> {
            if (Registration.decode(message) instanceof Registration.Failed failed) {
                RuntimeException _ = failed.exception();
            }
        });
    }
}
