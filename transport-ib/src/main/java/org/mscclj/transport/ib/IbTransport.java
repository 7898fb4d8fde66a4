package org.mscclj.transport.ib;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.device.BackendDevice;
import org.mscclj.spi.device.HostSegment;
import org.mscclj.spi.transport.LocalMemory;
import org.mscclj.spi.transport.RemoteMemory;
import org.mscclj.spi.transport.Transport;
import org.mscclj.spi.transport.TransportEndpoint;
import org.mscclj.transport.ib.adapter.Rail;
import org.mscclj.transport.ib.connection.IbEndpoint;
import org.mscclj.transport.ib.ffm.VerbsLibrary;
import org.mscclj.transport.ib.memory.IbRemoteMemory;
import org.mscclj.transport.ib.memory.RegisteredMemories;
import org.mscclj.transport.ib.port.AdapterPorts;
import org.mscclj.transport.ib.port.Port;
import org.mscclj.transport.ib.settings.IbSettings;

/** The memory and the connections of one rank. */
final class IbTransport implements Transport {
    /** "MSCCLJIB" and the version of descriptions. */
    private static final long MAGIC = 0x4d53_4343_4c4a_4942L + 2;

    /** The size of memory by which a device shows whether adapters can access its memory. */
    private static final long PROBE_BYTES = 4096;

    private final BackendDevice device;
    private final IbSettings settings;
    private final List<Rail> rails = new ArrayList<>();
    private final RegisteredMemories memories = new RegisteredMemories();
    private final Set<AutoCloseable> open = ConcurrentHashMap.newKeySet();
    private boolean closed;

    IbTransport(BackendDevice device, VerbsLibrary library, IbSettings settings) {
        this.device = device;
        this.settings = settings;
        AdapterPorts ports = AdapterPorts.find(library, settings);
        try {
            for (Port port : ports.nearest(device.busAddress(), device.index(), settings.rails())) {
                rails.add(Rail.open(library, port));
            }
        } catch (RuntimeException | Error e) {
            closeRails();
            throw e;
        }
        if (rails.isEmpty()) {
            throw new UnsupportedException("transport ib has no port: " + String.join("; ", ports.refused()));
        }
        try {
            requireAccess();
        } catch (RuntimeException | Error e) {
            closeRails();
            throw e;
        }
    }

    /** Requires that memory of the device is the host's, or that the adapters can access it at its address. */
    private void requireAccess() {
        try (DeviceBuffer probe = device.allocate(PROBE_BYTES)) {
            if (HostSegment.of(probe).isPresent()) {
                return;
            }
            if (!settings.gpuMemory()) {
                throw new UnsupportedException("transport ib leaves memory of backend " + device.backend()
                        + " to the host, as the environment asks (MSCCLJ_IB_GPU_MEMORY)");
            }
            register(probe).close();
        } catch (BackendException e) {
            throw new UnsupportedException(
                    "transport ib cannot register memory of backend " + device.backend() + ": " + e.getMessage()
                            + "; for memory of NVIDIA GPUs load the kernel's module nvidia_peermem, or install a driver,"
                            + " a kernel and an rdma-core that support DMA-BUF",
                    e);
        }
    }

    private boolean carriesOutAtomics() {
        return settings.atomics()
                && rails.stream()
                        .allMatch(rail -> rail.shared().adapter().attributes().atomics());
    }

    @Override
    public byte[] describeAddress() {
        Port port = rails.getFirst().port();
        return ByteBuffer.allocate(2 * Long.BYTES + 2)
                .putLong(MAGIC)
                .put((byte) (carriesOutAtomics() ? 1 : 0))
                .put((byte) (port.attributes().ethernet() ? 1 : 0))
                .putLong(port.gid().subnet())
                .array();
    }

    /**
     * Whether a peer has the same version, and a port of the same kind: on InfiniBand, of the same subnet. That the
     * network leads from one port to the other is taken for granted.
     */
    @Override
    public boolean reaches(byte[] peerAddress) {
        byte[] own = describeAddress();
        if (peerAddress.length != own.length) {
            return false;
        }
        ByteBuffer here = ByteBuffer.wrap(own);
        ByteBuffer there = ByteBuffer.wrap(peerAddress);
        boolean sameVersion = here.getLong() == there.getLong();
        here.get();
        there.get();
        boolean ethernet = here.get() == 1;
        boolean sameKind = ethernet == (there.get() == 1);
        return sameVersion && sameKind && (ethernet || here.equals(there));
    }

    @Override
    public LocalMemory register(DeviceBuffer buffer) {
        return memories.register(
                device, buffer, rails.stream().map(Rail::domain).toList());
    }

    @Override
    public RemoteMemory importMemory(byte[] description) {
        return IbRemoteMemory.decode(description);
    }

    @Override
    public synchronized TransportEndpoint createEndpoint(byte[] peerAddress) {
        if (closed) {
            throw new InvalidArgumentException("the transport is closed; open another one");
        }
        if (!reaches(peerAddress)) {
            throw InvalidArgumentException.of(
                    "address of a peer", peerAddress.length + " bytes", "one that this transport reaches");
        }
        boolean atomics = carriesOutAtomics() && peerAddress[Long.BYTES] == 1;
        return new IbEndpoint(rails, settings, atomics, memories, device, new IbEndpoint.Parts() {
            @Override
            public void add(AutoCloseable part) {
                open.add(part);
            }

            @Override
            public void remove(AutoCloseable part) {
                open.remove(part);
            }
        });
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        for (AutoCloseable each : List.copyOf(open)) {
            close(each);
        }
        memories.close();
        closeRails();
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new BackendException("closing failed: " + e.getMessage(), e);
        }
    }

    private void closeRails() {
        rails.forEach(Rail::close);
        rails.clear();
    }
}
