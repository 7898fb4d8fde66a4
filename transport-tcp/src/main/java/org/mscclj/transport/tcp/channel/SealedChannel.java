package org.mscclj.transport.tcp.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.mscclj.spi.protection.RecordCipher;

/**
 * A socket whose bytes are encrypted and authenticated (sealed) by keys that both ends derive from the token: only the
 * ends can read them, and changed, missing or repeated bytes are detected. The stream consists of records: their
 * length, 4 bytes, and the sealed bytes. Reading and writing may happen on different threads, so each takes the
 * monitor.
 */
public final class SealedChannel implements LaneChannel {
    /** Maximum payload of a record, in bytes, before it is sealed. */
    public static final int MAX_PAYLOAD = 32 * 1024;

    private static final int LENGTH = Integer.BYTES;
    private static final int LARGEST = LENGTH + MAX_PAYLOAD + RecordCipher.OVERHEAD;

    private final LaneChannel socket;
    private final RecordCipher sealing;
    private final RecordCipher opening;
    private final byte[] header = new byte[LENGTH];

    /** Received, still sealed; ready to be written to. */
    private final ByteBuffer sealedIn = ByteBuffer.allocate(2 * LARGEST);

    /** Sealed, not sent yet; ready to be read from. */
    private final ByteBuffer sealedOut = ByteBuffer.allocate(HEADROOM + LARGEST).flip();

    /** Opened, not read yet; ready to be read from. */
    private final ByteBuffer plainIn =
            ByteBuffer.allocate(MAX_PAYLOAD + RecordCipher.OVERHEAD).flip();

    private boolean ended;

    /**
     * Seals all further bytes of a socket.
     *
     * @param sending the key of the bytes that this side sends
     * @param receiving the key of the bytes that the peer sends
     */
    public SealedChannel(LaneChannel socket, byte[] sending, byte[] receiving) {
        this.socket = socket;
        this.sealing = RecordCipher.sealing(sending);
        this.opening = RecordCipher.opening(receiving);
    }

    @Override
    public synchronized int read(ByteBuffer to) throws IOException {
        if (!plainIn.hasRemaining() && !openNext()) {
            ended |= socket.read(sealedIn) < 0;
            boolean _ = openNext();
        }
        int count = Math.min(to.remaining(), plainIn.remaining());
        to.put(to.position(), plainIn, plainIn.position(), count);
        to.position(to.position() + count);
        plainIn.position(plainIn.position() + count);
        return count == 0 && ended ? -1 : count;
    }

    /** Opens the next record; false if it has not arrived completely. */
    private boolean openNext() throws IOException {
        if (sealedIn.position() < LENGTH) {
            return false;
        }
        int length = sealedIn.getInt(0);
        if (length <= RecordCipher.OVERHEAD || length > LARGEST - LENGTH) {
            throw new IOException(
                    "a record of " + length + " bytes, which no peer seals; something on the way has changed it");
        }
        if (sealedIn.position() < LENGTH + length) {
            return false;
        }
        sealedIn.flip();
        sealedIn.get(header);
        int end = sealedIn.limit();
        sealedIn.limit(LENGTH + length);
        plainIn.clear();
        boolean opened = opening.next(header, sealedIn, plainIn);
        plainIn.flip();
        sealedIn.position(LENGTH + length).limit(end);
        sealedIn.compact();
        if (!opened) {
            throw new IOException("a record of " + length + " bytes was changed, left out or repeated on its way");
        }
        return true;
    }

    @Override
    public synchronized int write(ByteBuffer from) throws IOException {
        int start = from.position();
        flush();
        while (from.hasRemaining() && !sealedOut.hasRemaining()) {
            seal(from);
            flush();
        }
        return from.position() - start;
    }

    private void seal(ByteBuffer from) {
        int length = Math.min(MAX_PAYLOAD, from.remaining());
        int limit = from.limit();
        sealedOut.clear().position(HEADROOM);
        sealedOut.putInt(length + RecordCipher.OVERHEAD);
        sealedOut.get(HEADROOM, header);
        from.limit(from.position() + length);
        boolean _ = sealing.next(header, from, sealedOut);
        from.limit(limit);
        sealedOut.limit(sealedOut.position()).position(HEADROOM);
    }

    private void flush() throws IOException {
        if (sealedOut.hasRemaining()) {
            int _ = socket.write(sealedOut);
        }
    }

    @Override
    public synchronized boolean holdsReceived() {
        return plainIn.hasRemaining() || isNextComplete() || socket.holdsReceived();
    }

    private boolean isNextComplete() {
        return sealedIn.position() >= LENGTH && sealedIn.position() - LENGTH >= sealedIn.getInt(0);
    }

    @Override
    public synchronized boolean wantsWrite(boolean dataWaits) {
        return sealedOut.hasRemaining() || socket.wantsWrite(dataWaits);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
