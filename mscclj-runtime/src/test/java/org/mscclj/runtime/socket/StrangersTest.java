package org.mscclj.runtime.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is dropped when many connect. */
class StrangersTest {
    private static Socket from(int last) throws UnknownHostException {
        InetAddress source = InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
        return new Socket() {
            @Override
            public InetAddress getInetAddress() {
                return source;
            }
        };
    }

    @Test
    void theOldestOfTheSourceThatHasMostMakesRoom() throws Exception {
        Strangers strangers = new Strangers(4, 0);
        Socket rank = from(1);
        strangers.add(rank);
        List<Socket> flood = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            assertEquals(0, strangers.makeRoom());
            Socket next = from(2);
            strangers.add(next);
            flood.add(next);
        }
        assertEquals(4, strangers.count());
        assertFalse(rank.isClosed());
        assertTrue(flood.getFirst().isClosed());
        assertFalse(flood.getLast().isClosed());
        strangers.close();
        assertTrue(rank.isClosed() && flood.getLast().isClosed());
    }

    @Test
    void eachIsKeptForAMoment() throws Exception {
        Strangers strangers = new Strangers(1, Long.MAX_VALUE / 2);
        Socket first = from(1);
        strangers.add(first);
        assertTrue(strangers.makeRoom() > 0);
        assertFalse(first.isClosed());
        strangers.remove(first);
        assertEquals(0, strangers.makeRoom());
    }
}
