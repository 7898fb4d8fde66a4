package org.mscclj.spi.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.stream.IntStream;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mscclj.api.error.InvalidArgumentException;

class KeepAliveTest {
    @Test
    void threeProbesEndExactlyAtTheLimit() {
        IntStream.rangeClosed(KeepAlive.MIN_SECONDS, KeepAlive.MAX_SECONDS)
                .mapToObj(KeepAlive::new)
                .forEach(limit -> {
                    assertEquals(limit.seconds(), limit.idle() + 3 * limit.interval());
                    assertTrue(limit.idle() >= 1 && limit.interval() >= 1, limit::toString);
                });
    }

    @Test
    void theEnvironmentSetsIt() {
        assertEquals(KeepAlive.DEFAULT, KeepAlive.of(Map.of()));
        assertEquals(KeepAlive.DEFAULT, KeepAlive.of(Map.of(KeepAlive.VARIABLE, " ")));
        assertEquals(new KeepAlive(30), KeepAlive.of(Map.of(KeepAlive.VARIABLE, " 30 ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "3", "0", "-11", "7201", "11s", "99999999999"})
    void whatIsNotAllowedIsRefused(String value) {
        InvalidArgumentException e =
                assertThrows(InvalidArgumentException.class, () -> KeepAlive.of(Map.of(KeepAlive.VARIABLE, value)));
        assertEquals("MSCCLJ_KEEPALIVE_SECONDS is " + value + "; allowed: 4 to 7200", e.getMessage());
    }

    @Test
    void socketsAndChannelsGetIt() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new Socket();
                SocketChannel channel = SocketChannel.open(server.getLocalSocketAddress())) {
            new KeepAlive(11).apply(socket);
            new KeepAlive(60).apply(channel.socket());
            assertTrue(socket.getKeepAlive());
            assertTrue(channel.getOption(StandardSocketOptions.SO_KEEPALIVE));
            if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
                assertEquals(5, socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
                assertEquals(2, socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL));
                assertEquals(3, socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT));
                assertEquals(24, channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
                assertEquals(12, channel.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL));
            }
        }
    }
}
