package org.mscclj.plan.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.mscclj.plan.json.PlanReader;

class PlanPrinterTest {
    @Test
    void printsEveryKindOfLine() throws IOException {
        assertEquals(
                resource("sample.txt"), PlanPrinter.print(PlanReader.read(resource("sample.json"), "sample.json")));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = PlanPrinterTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
