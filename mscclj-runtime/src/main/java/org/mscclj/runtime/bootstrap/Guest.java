package org.mscclj.runtime.bootstrap;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.mscclj.runtime.socket.ControlSocket;

/**
 * A rank that has come to the rendezvous, as rank 0 sees it.
 *
 * @param rank which
 * @param socket the connection to it
 * @param came how it introduced itself
 */
record Guest(int rank, ControlSocket socket, Registration.Came came) {
    /** Tells it something; if it cannot be told, whoever reads from it notices that it is gone. */
    void tell(Registration registration) {
        try {
            socket.write(Registration.encode(registration));
            socket.flush();
        } catch (IOException e) {
            socket.close();
        }
    }

    /** Waits for what it says after it has come: that it is connected to all, or why the group does not form. */
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
