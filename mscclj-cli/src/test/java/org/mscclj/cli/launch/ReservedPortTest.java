package org.mscclj.cli.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ReservedPortTest {
    private static final InetAddress HOST = InetAddress.getLoopbackAddress();

    @Test
    void aProcessThatNamesThePortCanListenOnIt() throws IOException {
        try (ReservedPort port = ReservedPort.on(HOST);
                ServerSocket listener = new ServerSocket()) {
            listener.bind(new InetSocketAddress(port.host(), port.number()));
            try (Socket client = new Socket(port.host(), port.number());
                    Socket served = listener.accept()) {
                assertEquals(client.getLocalPort(), served.getPort());
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void noOtherProcessGetsIt() throws IOException {
        List<ServerSocket> others = new ArrayList<>();
        try (ReservedPort port = ReservedPort.on(HOST)) {
            assertTrue(port.isKept());
            for (int i = 0; i < 2000; i++) {
                ServerSocket other = new ServerSocket(0, 1, HOST);
                others.add(other);
                assertNotEquals(port.number(), other.getLocalPort());
            }
        } finally {
            for (ServerSocket other : others) {
                other.close();
            }
        }
    }

    @Test
    void aReleasedPortIsFree() {
        ReservedPort port = ReservedPort.on(HOST);
        port.close();
        assertFalse(port.isKept());
    }
}
