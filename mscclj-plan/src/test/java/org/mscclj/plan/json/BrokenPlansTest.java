package org.mscclj.plan.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mscclj.api.error.InvalidArgumentException;

/** Mutations of one valid plan: each message names the position, the given value and the allowed values. */
class BrokenPlansTest {
    private static final String GOOD = """
        {"name": "good", "collective": "allreduce", "protocol": "Simple", "inplace": true, "gpus": [
          {"id": 0, "input_chunks": 2, "output_chunks": 2, "scratch_chunks": 3, "threadblocks": [
            {"id": 0, "ops": [
              {"name": "nop"},
              {"name": "signal", "channel_ids": [0], "channel_type": "memory"},
              {"name": "put", "src_buff": [{"type": "i", "index": 0, "size": 1}], "dst_buff": [{"buffer_id": 0, "index": 1, "size": 1}], "channel_type": "memory"},
              {"name": "pipeline", "iter_context": {"unit_size": 1024, "num_chunks": 1}, "ops": [
                {"name": "nop"},
                {"name": "copy", "src_buff": [{"type": "o", "index": 0, "size": 2}], "dst_buff": [{"type": "s", "index": 0, "size": 2}]}]},
              {"name": "barrier", "barrier_id": 3, "num_threadblocks": 1},
              {"name": "sem_acquire", "semaphore_ids": [0]},
              {"name": "glres", "src_buff": [{"switch_channel_id": 0, "index": 0, "size": 1}], "dst_buff": [{"switch_channel_id": 0, "index": 1, "size": 1}], "channel_type": "switch", "reduce_op": "sum"},
              {"name": "pws", "src_buff": [{"type": "i", "index": 1, "size": 1}], "dst_buff": [{"buffer_id": 1, "index": 0, "size": 1}], "channel_ids": [0], "channel_type": "port", "tbg_info": {"tb_id": 0, "tbg_size": 2}},
              {"name": "flush", "channel_ids": [1], "channel_type": "port"}],
             "channels": [{"channel_type": "memory", "channel_ids": [0]}, {"channel_type": "port", "channel_ids": [0, 1]}, {"channel_type": "switch", "channel_ids": [0]}],
             "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}, {"access_channel_type": "port", "remote_buffer_ids": [0, 1]}]}],
           "channels": [{"channel_type": "memory", "connected_to": [1]}, {"channel_type": "port", "connected_to": [1, 2]}, {"channel_type": "switch", "buffer_type": "i", "rank_groups": [{"size": 2, "ranks": [0, 1]}]}],
           "remote_buffers": [{"rank": 2, "type": "s", "access_channel_types": ["memory", "port"]}, {"rank": 1, "type": "o", "access_channel_types": ["port"]}],
           "semaphores": [{"init_value": 1}]},
          {"id": 1, "input_chunks": 2, "output_chunks": 2, "scratch_chunks": 0, "threadblocks": [],
           "channels": [{"channel_type": "switch", "buffer_type": "i", "rank_groups": [{"size": 2, "ranks": [1, 0]}]}], "remote_buffers": []},
          {"id": 2, "input_chunks": 2, "output_chunks": 2, "scratch_chunks": 2, "threadblocks": []}
        ], "num_threads_per_block": 512, "buffer_alignment": 8, "min_message_size": 16, "max_message_size": 18446744073709551615, "later": {"any": [1, {}]}}
        """;

    /** The replaced text, its replacement, and a part of the message. */
    record Case(String from, String to, List<String> parts) {}

    private static Case broken(String from, String to, String... parts) {
        return new Case(from, to, List.of(parts));
    }

    static Stream<Case> cases() {
        return Stream.of(
                // The text as JSON.
                broken("{\"name\": \"good\"", "\"name\": \"good\"", "plan", "given is \"name\"", "an object", "line 1"),
                broken(
                        "\"semaphore_ids\": [0]}",
                        "\"semaphore_ids\": [0}",
                        "rank 0, block 0, op 5",
                        "malformed JSON; check the text at this position (line "),
                broken("\"later\": {\"any\": [1, {}]}}", "\"later\": {\"any\": [1, {}]", "ends too early"),
                broken("[1, {}]}}", "[1, {}]}} {}", "something follows"),
                broken(
                        "[1, {}]",
                        "[".repeat(1_000) + "]".repeat(1_000),
                        "beyond what any plan needs; allowed: 100 levels"),
                broken("[1, {}]", "1e", "malformed JSON", "(line 23, column "),
                broken(
                        "\"good\"",
                        "\"" + "g".repeat(200_000) + "\"",
                        "name",
                        "beyond what any plan needs",
                        "100000 characters"),
                // Keys: missing, doubled, of the wrong type.
                broken("\"name\": \"good\", ", "", "key name is missing"),
                broken("\"protocol\": \"Simple\", ", "", "key protocol is missing"),
                broken("\"inplace\": true", "\"inplace\": \"yes\"", "inplace", "\"yes\"", "true or false"),
                broken("\"inplace\": true", "\"inplace\": true, \"inplace\": true", "inplace", "given twice"),
                broken("\"semaphore_ids\"", "\"semaphores\"", "op 5 (sem_acquire)", "semaphore_ids is missing"),
                broken(
                        "\"channel_ids\": [0], \"channel_type\": \"memory\"},",
                        "\"channel_ids\": [0]},",
                        "op 1 (signal)",
                        "channel_type is missing"),
                broken(
                        "\"num_chunks\": 1",
                        "\"num_chunks\": null",
                        "op 3 (pipeline), iter_context.num_chunks",
                        "null",
                        "an integer"),
                broken("{\"init_value\": 1}", "1", "rank 0, semaphores[0]", "given is 1", "an object"),
                // Names.
                broken("allreduce", "allreduse", "collective", "\"allreduse\"", "one of allreduce, allgather"),
                broken("Simple", "simple", "protocol", "\"simple\"", "one of Simple, LL, LL128"),
                broken("\"copy\"", "\"cpy\"", "op 3 (pipeline), inner op 1, name", "\"cpy\"", "nop, barrier", "copy"),
                broken("\"copy\"", "\"c\\npy\"", "\"c\\u000apy\""),
                broken("\"copy\"", "\"glre\"", "inner op 1", "glre", "not fused with a store"),
                broken(
                        "\"type\": \"o\", \"index\"",
                        "\"type\": \"x\", \"index\"",
                        "inner op 1 (copy), src_buff[0].type",
                        "\"x\"",
                        "i, o, s"),
                broken("\"reduce_op\": \"sum\"", "\"reduce_op\": \"avg\"", "op 6 (glres), reduce_op", "sum, min, max"),
                broken(
                        "\"connected_to\": [1]}",
                        "\"connected_to\": [\"1\"]}",
                        "rank 0, channels[0].connected_to[0]",
                        "an integer"),
                broken(
                        "\"buffer_type\": \"i\", \"rank_groups\": [{\"size\": 2, \"ranks\": [0, 1]",
                        "\"buff\": \"i\", \"rank_groups\": [{\"size\": 2, \"ranks\": [0, 1]",
                        "rank 0, channels[2]",
                        "buffer_type is missing"),
                // Numbers.
                broken(
                        "\"barrier_id\": 3",
                        "\"barrier_id\": -3",
                        "op 4 (barrier), barrier_id",
                        "-3",
                        "0 to 2147483647"),
                broken("\"barrier_id\": 3", "\"barrier_id\": 4294967299", "op 4 (barrier), barrier_id", "4294967299"),
                broken("\"barrier_id\": 3", "\"barrier_id\": 3.0", "op 4 (barrier), barrier_id", "3.0", "an integer"),
                broken(
                        "\"barrier_id\": 3",
                        "\"barrier_id\": 70000",
                        "op 4 (barrier)",
                        "barrier_id is 70000",
                        "0 to 65535"),
                broken("18446744073709551615", "18446744073709551616", "max_message_size", "18446744073709551616"),
                broken(
                        "\"min_message_size\": 16, \"max_message_size\": 18446744073709551615",
                        "\"min_message_size\": 16, \"max_message_size\": 15",
                        "min_message_size is 16",
                        "at most max_message_size"),
                broken(
                        "\"num_threads_per_block\": 512",
                        "\"num_threads_per_block\": 1025",
                        "num_threads_per_block is 1025",
                        "1 to 1024"),
                broken(
                        "\"buffer_alignment\": 8",
                        "\"buffer_alignment\": 12",
                        "buffer_alignment is 12",
                        "multiple of 8"),
                broken(
                        "\"unit_size\": 1024",
                        "\"unit_size\": 1000",
                        "op 3 (pipeline)",
                        "unit_size is 1000",
                        "multiple of 16"),
                // Structure.
                broken("{\"id\": 1,", "{\"id\": 2,", "rank 1", "id is 2", "1, its position in gpus"),
                broken("{\"id\": 0, \"ops\"", "{\"id\": 1, \"ops\"", "rank 0, block 0", "id is 1", "its position"),
                broken("\"connected_to\": [1]}", "\"connected_to\": [3]}", "rank 0", "connected_to[0] is 3", "0 to 2"),
                broken(
                        "\"connected_to\": [1]}",
                        "\"connected_to\": [0]}",
                        "rank 0",
                        "connected_to[0] is 0",
                        "another rank"),
                broken(
                        "\"channel_ids\": [0, 1]}",
                        "\"channel_ids\": [0, 2]}",
                        "rank 0, block 0",
                        "port channel_ids[1] is 2",
                        "0 to 1"),
                broken(
                        "\"remote_buffer_ids\": [0]}",
                        "\"remote_buffer_ids\": [1]}",
                        "rank 0, block 0",
                        "remote_buffer_ids[0] is 1",
                        "contain memory",
                        "[port]"),
                broken(
                        "{\"size\": 2, \"ranks\": [0, 1]}",
                        "{\"size\": 3, \"ranks\": [0, 1]}",
                        "rank_groups[0]",
                        "size is 3",
                        "2"),
                broken(
                        "{\"size\": 2, \"ranks\": [0, 1]}",
                        "{\"size\": 2, \"ranks\": [1, 1]}",
                        "rank 0",
                        "[1, 1]",
                        "distinct"),
                broken(
                        "{\"size\": 2, \"ranks\": [0, 1]}",
                        "{\"size\": 2, \"ranks\": [0, 2]}",
                        "rank 0",
                        "switch channel 0",
                        "member 2 does not declare"),
                broken(
                        "\"output_chunks\": 2, \"scratch_chunks\": 0",
                        "\"output_chunks\": 3, \"scratch_chunks\": 0",
                        "rank 1",
                        "3 chunks",
                        "agree"),
                broken(
                        "\"num_threadblocks\": 1",
                        "\"num_threadblocks\": 2",
                        "op 4 (barrier)",
                        "num_threadblocks is 2",
                        "deadlocks"),
                broken(
                        "{\"name\": \"nop\"},\n        {\"name\": \"copy\"",
                        "{\"name\": \"pipeline\", \"iter_context\": {\"unit_size\": 16, \"num_chunks\": 1}, \"ops\":"
                                + " []},\n"
                                + "        {\"name\": \"copy\"",
                        "inner op 0",
                        "do not nest"),
                // Operations.
                broken(
                        "\"semaphore_ids\": [0]",
                        "\"semaphore_ids\": [1]",
                        "op 5 (sem_acquire)",
                        "semaphore_ids[0] is 1",
                        "0 to 0"),
                broken(
                        "{\"buffer_id\": 0, \"index\": 1, \"size\": 1}",
                        "{\"buffer_id\": 0, \"index\": 2, \"size\": 1}",
                        "op 2 (put)",
                        "dst_buff[0]",
                        "chunks 2 to 3",
                        "0 to 2",
                        "buffer s of rank 2"),
                broken(
                        "{\"buffer_id\": 0, \"index\": 1, \"size\": 1}",
                        "{\"buffer_id\": 0, \"index\": 2147483647, \"size\": 2147483647}",
                        "op 2 (put)",
                        "chunks 2147483647 to 4294967294"),
                broken(
                        "{\"buffer_id\": 0, \"index\": 1, \"size\": 1}",
                        "{\"buffer_id\": 0, \"index\": 0, \"size\": 2}",
                        "op 2 (put)",
                        "dst_buff[0].size is 2",
                        "1, as in src_buff[0]"),
                broken(
                        "{\"buffer_id\": 0, \"index\": 1, \"size\": 1}",
                        "{\"buffer_id\": 1, \"index\": 1, \"size\": 1}",
                        "op 2 (put)",
                        "buffer_id is 1",
                        "0 to 0"),
                broken(
                        "{\"buffer_id\": 0, \"index\": 1, \"size\": 1}",
                        "{\"type\": \"o\", \"index\": 1, \"size\": 1}",
                        "op 2 (put)",
                        "dst_buff[0] is a local operand",
                        "a remote operand"),
                broken(
                        "{\"buffer_id\": 0, \"index\": 1, \"size\": 1}",
                        "{\"index\": 1, \"size\": 1}",
                        "op 2 (put), dst_buff[0]",
                        "type is missing"),
                broken(
                        "{\"switch_channel_id\": 0, \"index\": 1, \"size\": 1}",
                        "{\"switch_channel_id\": 0, \"index\": 2, \"size\": 1}",
                        "op 6 (glres)",
                        "dst_buff[0]",
                        "chunks 2 to 3"),
                broken("\"name\": \"put\"", "\"name\": \"ppkt\"", "op 2 (ppkt)", "Simple"),
                broken("\"name\": \"put\"", "\"name\": \"pws\"", "op 2 (pws)", "channel_type is memory", "port"),
                broken(
                        "\"channel_type\": \"memory\"},\n      {\"name\": \"pipeline\"",
                        "\"reduce_op\": \"sum\", \"channel_type\": \"memory\"},\n      {\"name\": \"pipeline\"",
                        "op 2 (put)",
                        "does not reduce"),
                broken(
                        "\"channel_ids\": [0], \"channel_type\": \"port\"",
                        "\"channel_ids\": [1], \"channel_type\": \"port\"",
                        "op 7 (pws)",
                        "a channel to rank 2",
                        "a channel to rank 1"),
                broken("\"tb_id\": 0", "\"tb_id\": 2", "op 7 (pws)", "tbg_info.tb_id is 2", "0 to 1"),
                broken(
                        "\"channel_ids\": [1], \"channel_type\": \"port\"}",
                        "\"channel_ids\": [0], \"channel_type\": \"memory\"}",
                        "op 8 (flush)",
                        "channel_type is memory",
                        "port"),
                broken(
                        "\"channel_ids\": [1], \"channel_type\": \"port\"}",
                        "\"channel_ids\": [], \"channel_type\": \"port\"}",
                        "op 8 (flush)",
                        "channel_ids is empty"),
                broken("\"Simple\"", "\"LL\"", "op 2 (put)", "plain data in scratch", "an LL plan holds packets"),
                broken(
                        "\"Simple\"",
                        "\"LL128\"",
                        "op 2 (put)",
                        "plain data in scratch",
                        "an LL128 plan holds packets"));
    }

    @Test
    void unchangedPlanIsValid() {
        assertEquals("good", PlanReader.read(GOOD, "good.json").name());
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("cases")
    void messageNamesTheFault(Case broken) {
        int at = GOOD.indexOf(broken.from());
        assertTrue(at >= 0, broken.from());
        String json = GOOD.substring(0, at)
                + broken.to()
                + GOOD.substring(at + broken.from().length());
        String message = refusal(() -> PlanReader.read(json, "broken.json"));
        assertTrue(message.startsWith("broken.json: "), message);
        assertEquals(1, message.lines().count(), message);
        assertTrue(message.length() < 600, message);
        broken.parts()
                .forEach(part -> assertTrue(message.contains(part), () -> "expected " + part + " in: " + message));
    }

    /** The parser's messages and names of Java classes do not help the author of a plan. */
    @Test
    void messageForOtherFilesIsNotTheParsers() {
        assertEquals(
                "README.md: plan: is not JSON; allowed: the file of a plan, which is a JSON object (line 1, column 1)",
                refusal(() -> PlanReader.read("# MSCCLJ", "README.md")));
        assertEquals(
                "x: is not JSON; allowed: the file of a plan, which is a JSON object, in UTF-8",
                refusal(() -> PlanReader.read(new byte[] {(byte) 0xFE, (byte) 0xFF, 0, 0}, "x")));
    }

    @Test
    void refusesMissingFilesAndDirectories(@TempDir Path folder) throws IOException {
        assertTrue(refusal(() -> PlanReader.read(folder)).contains("is a directory"));
        assertTrue(refusal(() -> PlanReader.read(folder.resolve("none.json")))
                .contains("none.json: there is no such file"));
        Path empty = Files.createFile(folder.resolve("empty.json"));
        assertTrue(refusal(() -> PlanReader.read(empty)).contains("empty.json: is empty"));
        Path zero = Path.of("/dev/zero");
        if (Files.exists(zero)) {
            assertTrue(refusal(() -> PlanReader.read(zero)).contains("not a regular file"));
        }
    }

    @Test
    void refusesEveryTruncation() {
        String json = GOOD.strip();
        for (int length = 1; length < json.length(); length++) {
            String cut = json.substring(0, length);
            assertTrue(refusal(() -> PlanReader.read(cut, "cut.json")).startsWith("cut.json: "));
        }
    }

    private static String refusal(Runnable reading) {
        return assertThrows(InvalidArgumentException.class, reading::run).getMessage();
    }
}
