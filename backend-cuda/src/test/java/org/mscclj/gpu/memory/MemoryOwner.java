package org.mscclj.gpu.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.error.BackendException;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.backend.cuda.standin.OtherSoftware;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.descriptor.DescriptorServer;
import org.mscclj.posix.UnixSocket;
import org.mscclj.spi.memory.ProcessIdentity;

/**
 * The owner of memory that another VM maps. Understands: allocate BYTES VALUE, occupied BYTES, which allocates and
 * exports while another socket has the name of its server, read NUMBER INDEX, close NUMBER, exit; and foreign BYTES
 * VALUE, which allocates as other software does, of which two buffers are adopted: from byte 24, and from byte 4096.
 * The memory is freed when both are closed.
 */
final class MemoryOwner {
    private MemoryOwner() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Map<Integer, DeviceBuffer> buffers = new HashMap<>();
        try (DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 0));
                GpuMemory memory = new GpuMemory(true)) {
            for (String line = in.readLine(); line != null && !line.equals("exit"); line = in.readLine()) {
                String[] words = line.split(" ");
                int number = Integer.parseInt(words[1]);
                switch (words[0]) {
                    case "allocate" -> {
                        DeviceBuffer buffer = memory.allocate(context, number);
                        buffer.slice(0, 8).copyFrom(MemorySegment.ofArray(new long[] {Long.parseLong(words[2])}));
                        buffers.put(buffers.size(), buffer);
                        System.out.println(
                                HexFormat.of().formatHex(memory.export(buffer).bytes()));
                    }
                    case "foreign" -> {
                        long address = OtherSoftware.allocate(context, number);
                        AtomicInteger users = new AtomicInteger(2);
                        for (long offset : new long[] {24, 4096}) {
                            DeviceBuffer buffer = memory.adopt(context, address + offset, 512, () -> {
                                if (users.decrementAndGet() == 0) {
                                    OtherSoftware.free(context, address);
                                }
                            });
                            long value = Long.parseLong(words[2]) + offset;
                            buffer.slice(0, 8).copyFrom(MemorySegment.ofArray(new long[] {value}));
                            buffers.put(buffers.size(), buffer);
                            System.out.println(HexFormat.of()
                                    .formatHex(memory.export(buffer).bytes()));
                        }
                    }
                    case "occupied" -> {
                        try (DeviceBuffer buffer = memory.allocate(context, number);
                                UnixSocket _ = UnixSocket.listen(DescriptorServer.name(ProcessIdentity.process()))) {
                            memory.export(buffer);
                            System.out.println("exported");
                        } catch (BackendException e) {
                            System.out.println(e.getMessage());
                        }
                    }
                    case "read" -> {
                        long[] value = new long[1];
                        buffers.get(number).slice(Long.parseLong(words[2]), 8).copyTo(MemorySegment.ofArray(value));
                        System.out.println(value[0]);
                    }
                    case "close" -> {
                        buffers.remove(number).close();
                        System.out.println("closed");
                    }
                    default -> throw new IllegalArgumentException(line);
                }
            }
        }
    }
}
