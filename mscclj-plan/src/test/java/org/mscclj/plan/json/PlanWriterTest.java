package org.mscclj.plan.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.plan.Plan;
import org.mscclj.plan.RandomPlans;
import org.mscclj.plan.examples.ExamplePrograms;
import org.mscclj.plan.text.PlanPrinter;

class PlanWriterTest {
    @Test
    void writesFiles(@TempDir Path folder) {
        Plan plan = RandomPlans.of(7);
        Path file = folder.resolve("plan.json");
        PlanWriter.write(plan, file);
        assertEquals(plan, PlanReader.read(file));
    }

    @Test
    void messageNamesAFileThatCannotBeWritten(@TempDir Path folder) {
        String message = assertThrows(InvalidArgumentException.class, () -> PlanWriter.write(RandomPlans.of(7), folder))
                .getMessage();
        assertTrue(message.startsWith(folder + ": cannot be written"), message);
    }

    @Test
    void writesTheFormatOfMscclpp() {
        String json = PlanWriter.write(ExamplePrograms.allreduceMulticast(2));
        assertTrue(json.contains("\"max_message_size\": 18446744073709551615"));
        assertTrue(json.contains("{\"channel_type\": \"switch\", \"buffer_type\": \"s\","
                + " \"rank_groups\": [{\"size\": 2, \"ranks\": [0, 1]}]}"));
        assertTrue(json.contains("{\"name\": \"signal\", \"channel_ids\": [0], \"channel_type\": \"memory\"}"));
        assertTrue(json.contains("{\"name\": \"glres\","
                + " \"src_buff\": [{\"switch_channel_id\": 0, \"index\": 0, \"size\": 1}],"
                + " \"dst_buff\": [{\"switch_channel_id\": 0, \"index\": 0, \"size\": 1}],"
                + " \"channel_type\": \"switch\"}"));
    }

    /** Executors that do not know the field add the plain operand last, as every plan without the field means. */
    @Test
    void aPlaceOfThePlainOperandIsWrittenOnlyWhereItIsStated() {
        Plan plan = ExamplePrograms.allreducePackets();
        String without = PlanWriter.write(plan);
        assertFalse(without.contains("plain_place"), without);
        Plan stated = PlanReader.read(
                without.replace("{\"name\": \"repkt\",", "{\"name\": \"repkt\", \"plain_place\": 0,"), "stated");
        assertNotEquals(plan, stated);
        String with = PlanWriter.write(stated);
        assertEquals(4, with.split("\"plain_place\": 0", -1).length - 1, with);
        assertEquals(stated, PlanReader.read(with, "again"));
        assertTrue(PlanPrinter.print(stated).contains("plain operand at place 0"));
    }
}
