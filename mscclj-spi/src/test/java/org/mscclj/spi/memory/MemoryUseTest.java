package org.mscclj.spi.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.spi.device.BufferUser;

class MemoryUseTest {
    private final AtomicInteger freed = new AtomicInteger();
    private final MemoryUse use = new MemoryUse(freed::incrementAndGet);

    private static final class Guest implements BufferUser {
        private boolean busy;
        private int told;

        @Override
        public boolean isUsing() {
            return busy;
        }

        @Override
        public void bufferClosed() {
            told++;
        }
    }

    @Test
    void closingFreesOnce() {
        use.close();
        use.close();
        assertEquals(1, freed.get());
        assertTrue(use.isClosed());
        assertThrows(InvalidArgumentException.class, use::retain);
        assertThrows(InvalidArgumentException.class, use::map);
        assertThrows(InvalidArgumentException.class, () -> use.add(new Guest()));
    }

    @Test
    void usersKeepItOpen() {
        use.retain();
        assertThrows(InvalidArgumentException.class, use::close);
        assertFalse(use.isClosed());
        use.release();
        use.close();
        assertEquals(1, freed.get());
    }

    @Test
    void occasionalUsersAreAskedAndTold() {
        Guest guest = new Guest();
        Guest gone = new Guest();
        use.add(guest);
        use.add(guest);
        use.add(gone);
        use.remove(gone);
        guest.busy = true;
        assertThrows(InvalidArgumentException.class, use::close);
        assertEquals(0, guest.told);
        guest.busy = false;
        use.close();
        assertEquals(1, guest.told);
        assertEquals(0, gone.told);
        assertEquals(1, freed.get());
    }

    @Test
    void mappingsLetTheOwnerCloseAndKeepTheMemory() {
        use.map();
        use.map();
        use.close();
        use.unmap();
        assertEquals(0, freed.get());
        use.unmap();
        assertEquals(1, freed.get());
    }

    @Test
    void whatIsAbandonedIsFreedByItsLastUser() {
        Guest busy = new Guest();
        Guest idle = new Guest();
        busy.busy = true;
        use.add(busy);
        use.add(idle);
        use.retain();
        use.map();
        assertTrue(use.isUsed());
        use.abandon();
        use.abandon();
        use.close();
        assertTrue(use.isClosed());
        assertEquals(1, idle.told);
        assertThrows(InvalidArgumentException.class, use::retain);
        use.release();
        use.unmap();
        assertEquals(0, freed.get());
        use.remove(busy);
        use.remove(busy);
        assertEquals(0, busy.told);
        assertEquals(1, freed.get());
    }

    @Test
    void whatNobodyUsesIsFreedWhenItIsAbandoned() {
        use.abandon();
        assertFalse(use.isUsed());
        assertEquals(1, freed.get());
    }

    @Test
    void memoryIsFreedAlsoIfAUserFails() {
        use.add(new BufferUser() {
            @Override
            public boolean isUsing() {
                return false;
            }

            @Override
            public void bufferClosed() {
                throw new IllegalStateException("mine");
            }
        });
        assertThrows(IllegalStateException.class, use::close);
        assertEquals(1, freed.get());
    }

    /** As a graph that other software destroys. */
    @Test
    void whoTellsNobodyIsAskedWhenOtherMemoryIsGivenUp() {
        AtomicBoolean using = new AtomicBoolean(true);
        use.add(new BufferUser() {
            @Override
            public boolean isUsing() {
                return using.get();
            }

            @Override
            public boolean removesItself() {
                return false;
            }

            @Override
            public void bufferClosed() {}
        });
        use.abandon();
        new MemoryUse(() -> {}).close();
        assertEquals(0, freed.get());
        using.set(false);
        new MemoryUse(() -> {}).close();
        assertEquals(1, freed.get());
        new MemoryUse(() -> {}).abandon();
        assertEquals(1, freed.get());
    }
}
