package org.mscclj.runtime.local;

import org.mscclj.plan.Plan;
import org.mscclj.plan.json.PlanReader;

/** Two ranks swap their inputs as packets, which a port channel moves from scratch to scratch. */
final class PortPackets {
    private PortPackets() {}

    static Plan swap() {
        return PlanReader.read("""
                {
                  "name": "port_packets", "collective": "sendrecv", "protocol": "LL", "inplace": false,
                  "reuse_resources": false, "num_threads_per_block": 1024, "use_double_scratch_buffer": true,
                  "buffer_alignment": 16, "min_message_size": 0, "max_message_size": 18446744073709551615,
                  "gpus": [%s, %s]
                }
                """.formatted(rank(0), rank(1)), "a test");
    }

    private static String rank(int rank) {
        return """
                {
                  "id": %d, "input_chunks": 1, "output_chunks": 1, "scratch_chunks": 2,
                  "threadblocks": [{
                    "id": 0,
                    "ops": [
                      {"name": "cpkt", "src_buff": [{"type": "i", "index": 0, "size": 1}],
                       "dst_buff": [{"type": "s", "index": 0, "size": 1}]},
                      {"name": "nop"},
                      {"name": "rppkt", "src_buff": [{"type": "s", "index": 0, "size": 1}],
                       "dst_buff": [{"buffer_id": 0, "index": 1, "size": 1}], "channel_ids": [0], "channel_type": "port"},
                      {"name": "upkt", "src_buff": [{"type": "s", "index": 1, "size": 1}],
                       "dst_buff": [{"type": "o", "index": 0, "size": 1}]}
                    ],
                    "channels": [{"channel_type": "port", "channel_ids": [0]}],
                    "remote_buffer_refs": [{"access_channel_type": "port", "remote_buffer_ids": [0]}]
                  }],
                  "channels": [{"channel_type": "port", "connected_to": [%d]}],
                  "remote_buffers": [{"rank": %d, "type": "s", "access_channel_types": ["port"]}],
                  "semaphores": []
                }
                """.formatted(rank, 1 - rank, 1 - rank);
    }
}
