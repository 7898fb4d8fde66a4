package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.mscclj.runtime.socket.ControlSocket;

/**
 * A rank that has come to the rendezvous, as rank 0 sees it.
 *
 * @param rank the rank
 * @param socket the connection to the rank
 * @param came the registration of the rank
 */
record RegisteredPeer(int rank, ControlSocket socket, Registration.Came came) {
    /** Sends a message to the rank. If sending fails, the thread that reads from the rank notices that it is lost. */
    void tell(Registration registration) {
        try {
            socket.write(Registration.encode(registration));
            socket.flush();
        } catch (IOException e) {
            socket.close();
        }
    }

    /**
     * Waits for the message after the registration: that the rank is connected to all others, or why the group does not
     * form.
     */
    Registration hear() {
        try {
            return switch (Registration.decode(socket.read())) {
                case Registration.Connected connected -> connected;
                case Registration.Failed failed -> failed;
                case Registration other -> lost("it says " + other + ", where it should say that it is connected");
            };
        } catch (IOException e) {
            return lost(Optional.ofNullable(e.getMessage()).orElse("its process has ended"));
        }
    }

    private Registration.Failed lost(String how) {
        return new Registration.Failed(
                Registration.Failure.LOST,
                List.of(rank),
                "rendezvous: rank " + rank + " came, and was lost before all ranks were connected: " + how);
    }
}
