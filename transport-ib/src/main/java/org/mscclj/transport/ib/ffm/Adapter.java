package org.mscclj.transport.ib.ffm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.posix.FunctionPointer;
import org.mscclj.posix.HeapBlock;
import org.mscclj.posix.NativeMemory;
import org.mscclj.transport.ib.ffm.Layouts.AsyncEvent;
import org.mscclj.transport.ib.ffm.Layouts.Context;
import org.mscclj.transport.ib.ffm.Layouts.DeviceAttr;
import org.mscclj.transport.ib.ffm.Layouts.PortAttr;

/** An opened adapter ({@code struct ibv_context}). Thread-safe until it is closed. */
public final class Adapter implements AutoCloseable {
    private static final int ALIGNMENT = 16;
    private static final int MAX_NAME = 64;
    private static final int ETHERNET = 2;

    private final VerbsLibrary library;
    private final String name;
    private final long handle;
    private final FunctionPointer pollCompletions;
    private final FunctionPointer requestEvent;
    private final FunctionPointer postSend;
    private final FunctionPointer postReceive;
    private final DeviceAttributes attributes;

    private Adapter(VerbsLibrary library, String name, long handle) {
        this.library = library;
        this.name = name;
        this.handle = handle;
        this.pollCompletions = operation(Context.POLL_CQ);
        this.requestEvent = operation(Context.REQ_NOTIFY_CQ);
        this.postSend = operation(Context.POST_SEND);
        this.postReceive = operation(Context.POST_RECV);
        this.attributes = query();
    }

    private FunctionPointer operation(int offset) {
        return new FunctionPointer(NativeMemory.getLong(handle + offset));
    }

    /** Returns the names of the adapters of this machine, for example {@code mlx5_0}. */
    public static List<String> names(VerbsLibrary library) {
        List<String> names = new ArrayList<>();
        forEach(library, (name, _) -> names.add(name));
        return names;
    }

    /**
     * Opens an adapter.
     *
     * @throws UnsupportedException if the machine has none of this name
     * @throws org.mscclj.api.error.BackendException if it cannot be opened
     */
    public static Adapter open(VerbsLibrary library, String wanted) {
        List<Adapter> opened = new ArrayList<>();
        forEach(library, (name, device) -> {
            if (name.equals(wanted) && opened.isEmpty()) {
                long handle = library.pointer(VerbsFunction.OPEN_DEVICE, device);
                try {
                    opened.add(new Adapter(library, name, handle));
                } catch (RuntimeException | Error e) {
                    library.perform(VerbsFunction.CLOSE_DEVICE, handle);
                    throw e;
                }
            }
        });
        if (opened.isEmpty()) {
            throw new UnsupportedException("there is no adapter " + wanted + "; this machine has " + names(library));
        }
        return opened.getFirst();
    }

    private interface DeviceUser {
        void use(String name, long device);
    }

    private static void forEach(VerbsLibrary library, DeviceUser user) {
        long list = library.pointer(VerbsFunction.GET_DEVICE_LIST, 0);
        try {
            for (long entry = list; NativeMemory.getLong(entry) != 0; entry += Long.BYTES) {
                long device = NativeMemory.getLong(entry);
                user.use(text(library.pointer(VerbsFunction.GET_DEVICE_NAME, device)), device);
            }
        } finally {
            library.perform(VerbsFunction.FREE_DEVICE_LIST, list);
        }
    }

    private static String text(long address) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < MAX_NAME && NativeMemory.getByte(address + i) != 0; i++) {
            text.append((char) NativeMemory.getByte(address + i));
        }
        return text.toString();
    }

    private DeviceAttributes query() {
        try (HeapBlock block = HeapBlock.zeroed(DeviceAttr.BYTES, ALIGNMENT)) {
            long at = block.address();
            library.call(VerbsFunction.QUERY_DEVICE, handle, at);
            return new DeviceAttributes(
                    Byte.toUnsignedInt(NativeMemory.getByte(at + DeviceAttr.PHYS_PORT_CNT)),
                    NativeMemory.getInt(at + DeviceAttr.MAX_QP_WR),
                    NativeMemory.getInt(at + DeviceAttr.MAX_CQE),
                    NativeMemory.getInt(at + DeviceAttr.MAX_QP_RD_ATOM),
                    NativeMemory.getInt(at + DeviceAttr.MAX_QP_INIT_RD_ATOM),
                    NativeMemory.getInt(at + DeviceAttr.ATOMIC_CAP) != 0);
        }
    }

    /** Returns the adapter's name. */
    public String name() {
        return name;
    }

    /** Returns what the adapter can do. */
    public DeviceAttributes attributes() {
        return attributes;
    }

    /**
     * Returns the state of a port.
     *
     * @param port its number, from 1
     */
    public PortAttributes port(int port) {
        // zeroed, since the library fills less of the structure than its size
        try (HeapBlock block = HeapBlock.zeroed(PortAttr.BYTES, ALIGNMENT)) {
            long at = block.address();
            library.call(VerbsFunction.QUERY_PORT, handle, port, at);
            return new PortAttributes(
                    NativeMemory.getInt(at + PortAttr.STATE),
                    NativeMemory.getInt(at + PortAttr.ACTIVE_MTU),
                    NativeMemory.getInt(at + PortAttr.GID_TBL_LEN),
                    Short.toUnsignedInt(NativeMemory.getShort(at + PortAttr.PKEY_TBL_LEN)),
                    Integer.toUnsignedLong(NativeMemory.getInt(at + PortAttr.MAX_MSG_SZ)),
                    Short.toUnsignedInt(NativeMemory.getShort(at + PortAttr.LID)),
                    NativeMemory.getByte(at + PortAttr.LINK_LAYER) == ETHERNET);
        }
    }

    /** Returns an entry of a port's table of GIDs; empty if there is no such entry. */
    public Optional<Gid> gid(int port, int index) {
        try (HeapBlock block = HeapBlock.zeroed(Gid.BYTES, ALIGNMENT)) {
            if (library.tryCall(VerbsFunction.QUERY_GID, handle, port, index, block.address()) != 0) {
                return Optional.empty();
            }
            return Optional.of(new Gid(
                    Long.reverseBytes(NativeMemory.getLong(block.address())),
                    Long.reverseBytes(NativeMemory.getLong(block.address() + Long.BYTES))));
        }
    }

    /** Returns an entry of a port's table of partition keys, 16 bits; 0 if the entry is not used. */
    public int partition(int port, int index) {
        try (HeapBlock block = HeapBlock.zeroed(Long.BYTES, ALIGNMENT)) {
            int error = library.tryCall(VerbsFunction.QUERY_PKEY, handle, port, index, block.address());
            int bigEndian = Short.toUnsignedInt(NativeMemory.getShort(block.address()));
            return error == 0 ? Integer.reverseBytes(bigEndian) >>> Short.SIZE : 0;
        }
    }

    /** Returns the descriptor that is readable while an asynchronous event waits. */
    public int eventDescriptor() {
        return NativeMemory.getInt(handle + Context.ASYNC_FD);
    }

    /** Takes an asynchronous event, and acknowledges it; empty if none waits and the descriptor does not block. */
    public Optional<AdapterEvent> takeEvent() {
        try (HeapBlock block = HeapBlock.zeroed(AsyncEvent.BYTES, ALIGNMENT)) {
            long at = block.address();
            if (library.tryCall(VerbsFunction.GET_ASYNC_EVENT, handle, at) != 0) {
                return Optional.empty();
            }
            AdapterEvent event = new AdapterEvent(
                    NativeMemory.getInt(at + AsyncEvent.EVENT_TYPE), NativeMemory.getLong(at + AsyncEvent.ELEMENT));
            library.perform(VerbsFunction.ACK_ASYNC_EVENT, at);
            return Optional.of(event);
        }
    }

    VerbsLibrary library() {
        return library;
    }

    long handle() {
        return handle;
    }

    /** {@code ibv_poll_cq}. */
    FunctionPointer pollCompletions() {
        return pollCompletions;
    }

    /** {@code ibv_req_notify_cq}. */
    FunctionPointer requestEvent() {
        return requestEvent;
    }

    /** {@code ibv_post_send}. */
    FunctionPointer postSend() {
        return postSend;
    }

    /** {@code ibv_post_recv}. */
    FunctionPointer postReceive() {
        return postReceive;
    }

    /** Closes the adapter. Everything that was created of it must be closed already. */
    @Override
    public void close() {
        library.call(VerbsFunction.CLOSE_DEVICE, handle);
    }
}
