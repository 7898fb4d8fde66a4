package org.mscclj.transport.ib.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The layouts are those of the header {@code infiniband/verbs.h}, as a C compiler sees it. */
class LayoutsTest {
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    /** The structure of each class, and the expressions of fields whose name is not that of the constant. */
    private static final Map<Class<?>, String> STRUCTURES = Map.ofEntries(
            Map.entry(Layouts.Context.class, "struct ibv_context"),
            Map.entry(Layouts.DeviceAttr.class, "struct ibv_device_attr"),
            Map.entry(Layouts.PortAttr.class, "struct ibv_port_attr"),
            Map.entry(Layouts.Mr.class, "struct ibv_mr"),
            Map.entry(Layouts.CompChannel.class, "struct ibv_comp_channel"),
            Map.entry(Layouts.Qp.class, "struct ibv_qp"),
            Map.entry(Layouts.QpInitAttr.class, "struct ibv_qp_init_attr"),
            Map.entry(Layouts.QpAttr.class, "struct ibv_qp_attr"),
            Map.entry(Layouts.Sge.class, "struct ibv_sge"),
            Map.entry(Layouts.SendWr.class, "struct ibv_send_wr"),
            Map.entry(Layouts.RecvWr.class, "struct ibv_recv_wr"),
            Map.entry(Layouts.Wc.class, "struct ibv_wc"),
            Map.entry(Layouts.AsyncEvent.class, "struct ibv_async_event"));

    private static final Map<String, String> FIELDS = Map.ofEntries(
            Map.entry("Context.POLL_CQ", "ops.poll_cq"),
            Map.entry("Context.REQ_NOTIFY_CQ", "ops.req_notify_cq"),
            Map.entry("Context.POST_SEND", "ops.post_send"),
            Map.entry("Context.POST_RECV", "ops.post_recv"),
            Map.entry("QpInitAttr.MAX_SEND_WR", "cap.max_send_wr"),
            Map.entry("QpInitAttr.MAX_RECV_WR", "cap.max_recv_wr"),
            Map.entry("QpInitAttr.MAX_SEND_SGE", "cap.max_send_sge"),
            Map.entry("QpInitAttr.MAX_RECV_SGE", "cap.max_recv_sge"),
            Map.entry("QpInitAttr.MAX_INLINE_DATA", "cap.max_inline_data"),
            Map.entry("QpAttr.DGID", "ah_attr.grh.dgid"),
            Map.entry("QpAttr.SGID_INDEX", "ah_attr.grh.sgid_index"),
            Map.entry("QpAttr.HOP_LIMIT", "ah_attr.grh.hop_limit"),
            Map.entry("QpAttr.TRAFFIC_CLASS", "ah_attr.grh.traffic_class"),
            Map.entry("QpAttr.DLID", "ah_attr.dlid"),
            Map.entry("QpAttr.SL", "ah_attr.sl"),
            Map.entry("QpAttr.IS_GLOBAL", "ah_attr.is_global"),
            Map.entry("QpAttr.PORT_NUM_OF_PATH", "ah_attr.port_num"),
            Map.entry("SendWr.REMOTE_ADDR", "wr.rdma.remote_addr"),
            Map.entry("SendWr.RKEY", "wr.rdma.rkey"),
            Map.entry("SendWr.COMPARE_ADD", "wr.atomic.compare_add"),
            Map.entry("SendWr.ATOMIC_RKEY", "wr.atomic.rkey"));

    @TempDir
    Path folder;

    @Test
    void layoutsAreThoseOfTheHeader() throws IOException, InterruptedException, IllegalAccessException {
        assumeTrue(Files.exists(HEADER), HEADER + " is missing (Debian and Ubuntu: libibverbs-dev)");
        List<String> checks = new ArrayList<>();
        for (Class<?> layout : Layouts.class.getDeclaredClasses()) {
            String structure = STRUCTURES.get(layout);
            for (Field field : layout.getDeclaredFields()) {
                if (field.isSynthetic()) { // of a tool that measures coverage
                    continue;
                }
                field.setAccessible(true);
                String name = field.getName();
                String cName = FIELDS.getOrDefault(layout.getSimpleName() + "." + name, name.toLowerCase(Locale.ROOT));
                String actual = name.equals("BYTES")
                        ? "sizeof(" + structure + ")"
                        : "offsetof(" + structure + ", " + cName + ")";
                checks.add("_Static_assert(" + actual + " == " + field.getInt(null) + ", \"" + layout.getSimpleName()
                        + "." + name + "\");");
            }
        }
        Path source = folder.resolve("layouts.c");
        Files.writeString(
                source, "#include <stddef.h>\n#include <infiniband/verbs.h>\n" + String.join("\n", checks) + "\n");
        Process compiler;
        try {
            compiler = new ProcessBuilder("cc", "-fsyntax-only", source.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException _) {
            assumeTrue(false, "there is no C compiler (cc), which reads the header");
            return;
        }
        String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, compiler.waitFor(), output);
    }
}
