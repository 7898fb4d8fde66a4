package org.mscclj.analysis.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page's script responds to keys and buttons, in a browser if one is installed. */
class PictureScriptTest {
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");
    private static final int TIMEOUT_SECONDS = 60;

    /** Operates the page as a reader would, and records the texts. */
    private static final String READER = """
            <script>
            //<![CDATA[
            const told = [];
            addEventListener('error', event => told.push('ERROR ' + event.message));
            const lanes = document.getElementById('lanes');
            const key = (name, more) => lanes.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true, ...more}));
            const tell = what => told.push(what + ': ' + [...document.querySelectorAll('#details p')].map(p => p.textContent).join(' | '));
            const pressed = id => document.getElementById(id).getAttribute('aria-pressed');
            requestAnimationFrame(() => {
              try {
                const canvas = document.getElementById('canvas');
                const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                told.push('colours: ' + (new Set(new Uint32Array(pixels.buffer)).size > 20));
                key('ArrowDown'); tell('first');
                key('ArrowRight'); tell('right');
                key('End'); tell('last');
                key('Enter'); tell('cause');
                key('Enter', {shiftKey: true}); tell('effect');
                key('ArrowDown'); tell('below');
                key(']'); tell('path');
                key('c'); told.push('steps: ' + pressed('steps') + pressed('clock'));
                key(' '); told.push('collapse: ' + pressed('collapse'));
                key(' ', {shiftKey: true}); told.push('collapse all: ' + pressed('collapse'));
                document.getElementById('clock').click(); told.push('clock: ' + pressed('clock'));
                document.getElementById('find').value = 'flush';
                document.getElementById('find').dispatchEvent(new Event('input'));
                document.getElementById('find').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'})); tell('found');
                key('Escape'); tell('nothing');
                dispatchEvent(new Event('beforeprint'));
                told.push('printed: ' + document.querySelectorAll('#printed canvas').length);
                dispatchEvent(new Event('afterprint'));
                told.push('after: ' + document.querySelectorAll('#printed').length);
              } catch (error) { told.push('ERROR ' + error); }
              const outcome = document.createElement('pre');
              outcome.id = 'outcome';
              outcome.textContent = told.join('\\n');
              document.body.append(outcome);
            });
            //]]>
            </script>
            </body>
            """;

    /** A headless browser renders no frame before it ends, but runs timers. */
    private static final String FRAMES =
            "<script>window.requestAnimationFrame = draw => setTimeout(() => draw(performance.now()), 0);</script>\n";

    @TempDir
    private Path folder;

    private static Optional<Path> browser() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(place -> BROWSERS.stream().map(name -> Path.of(place).resolve(name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private String opened(Path browser, Path page) throws IOException, InterruptedException {
        Path out = folder.resolve("dom.html");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--virtual-time-budget=2000",
                        "--dump-dom",
                        page.toUri().toString())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertTrue(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS), browser + " does not end");
        } finally {
            Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
        }
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    @Test
    void keysAndButtonsWork() throws IOException, InterruptedException {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), () -> "no browser on PATH: none of " + BROWSERS);
        String html = PlanPicture.html(DrawnPlans.put("put"), DrawnPlans.putTimeline(), List.of());
        Path page = folder.resolve("page.html");
        assertTrue(html.contains("<head>\n"), "there is no place for what stands in for frames");
        Files.writeString(page, html.replace("<head>\n", "<head>\n" + FRAMES).replace("</body>\n", READER));
        String dom = opened(browser.get(), page);
        int at = dom.indexOf("<pre id=\"outcome\">");
        assertTrue(
                at >= 0, () -> "the script did not come to its end: " + dom.substring(Math.max(0, dom.length() - 500)));
        List<String> told =
                new ArrayList<>(dom.substring(at + "<pre id=\"outcome\">".length(), dom.indexOf("</pre>", at))
                        .lines()
                        .toList());
        String put = "put i[0] -&gt; rank 1 o[0]  (port #0)";
        assertEquals(
                List.of(
                        "colours: true",
                        "first: rank 0, block 0, op 0 | " + put
                                + " | starts at 1.000 µs · works 50.0 ns · ends at 1.050 µs · on the critical path"
                                + " | waited for by proxy: rank 0, proxy #0 (rank 1), op 0 (put)",
                        "right: rank 0, block 0, op 1 | signal port #0 (rank 1)"
                                + " | starts at 1.050 µs · works 50.0 ns · ends at 1.100 µs"
                                + " | waited for by proxy: rank 0, proxy #0 (rank 1), op 1 (signal)",
                        "last: rank 0, block 0, op 2 | flush port #0 (rank 1)"
                                + " | starts at 1.100 µs · waits 1.900 µs · works 10.0 ns · ends at 3.010 µs"
                                + " | waits for proxy: rank 0, proxy #0 (rank 1), op 0 (put)",
                        "cause: rank 0, proxy #0 (rank 1), op 0 | " + put
                                + " | starts at 1.200 µs · works 1.800 µs · ends at 3.000 µs"
                                + " · 4,096 bytes (2.28 GB/s) · on the critical path"
                                + " | waits for proxy: rank 0, block 0, op 0 (put)"
                                + " | waited for by proxy: rank 0, block 0, op 2 (flush)",
                        "effect: rank 0, block 0, op 2 | flush port #0 (rank 1)"
                                + " | starts at 1.100 µs · waits 1.900 µs · works 10.0 ns · ends at 3.010 µs"
                                + " | waits for proxy: rank 0, proxy #0 (rank 1), op 0 (put)",
                        "below: rank 0, proxy #0 (rank 1), op 1 | signal port #0 (rank 1)"
                                + " | starts at 3.000 µs · works 500.0 ns · ends at 3.500 µs · on the critical path"
                                + " | waits for proxy: rank 0, block 0, op 1 (signal)"
                                + " | waited for by signal: rank 1, block 0, op 0 (wait)",
                        "path: rank 1, block 0, op 0 | wait port #0 (rank 0)"
                                + " | starts at 1.000 µs · waits 2.500 µs · works 100.0 ns · ends at 3.600 µs"
                                + " · on the critical path | waits for signal: rank 0, proxy #0 (rank 1), op 1 (signal)",
                        "steps: truefalse",
                        "collapse: false",
                        "collapse all: true",
                        "clock: true",
                        "found: rank 0, block 0, op 2 | flush port #0 (rank 1)"
                                + " | starts at 1.100 µs · waits 1.900 µs · works 10.0 ns · ends at 3.010 µs"
                                + " | waits for proxy: rank 0, proxy #0 (rank 1), op 0 (put)",
                        "nothing: ",
                        "printed: 1",
                        "after: 0"),
                told);
    }
}
