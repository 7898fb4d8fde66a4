package org.mscclj.gpu.multicast;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.gpu.context.DeviceContext;
import org.mscclj.gpu.context.Gpu;
import org.mscclj.gpu.memory.GpuMemory;
import org.mscclj.spi.device.MulticastObject;

/**
 * The second member of a team, in a process of its own, with GPU 1. Understands: open HANDLE, which adds the GPU; bind,
 * which binds memory and maps the object; close; exit.
 */
final class TeamMember {
    private static final long BYTES = 2 << 20;

    private TeamMember() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (DeviceContext context = DeviceContext.open(new Gpu(CudaDriver.INSTANCE, 1));
                GpuMemory memory = new GpuMemory(true);
                DeviceBuffer buffer = memory.allocate(context, BYTES, BYTES)) {
            GpuMulticast multicast =
                    new GpuMulticast(context, CudaDriver.INSTANCE.multicast().orElseThrow(), true);
            MulticastObject object = multicast.open(HexFormat.of().parseHex(in.readLine()));
            object.addDevice();
            System.out.println("added");
            for (String line = in.readLine(); line != null && !line.equals("exit"); line = in.readLine()) {
                if (line.equals("bind")) {
                    object.bind(buffer, 0);
                    System.out.println(object.map() == 0 ? "not mapped" : "bound");
                } else {
                    object.close();
                    System.out.println("closed");
                }
            }
        }
    }
}
