import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mscclj.backend.cuda.compile.ShippedKernels;

/** Compiles kernels ahead by nvcc: CompileKernels SOURCES OUTPUT ARCHITECTURE…, on the class path of the command; kernels.sh calls it. */
class CompileKernels {
    private static final Pattern RELEASE = Pattern.compile("release (\\d+\\.\\d+)");

    public static void main(String[] arguments) throws Exception {
        Path output = Path.of(arguments[1]);
        List<String> architectures = List.of(arguments).subList(2, arguments.length);
        Matcher release = RELEASE.matcher(run("nvcc", "--version"));
        if (!release.find()) {
            throw new IllegalStateException("nvcc --version names no release");
        }
        String toolkit = release.group(1);
        Path folder = Files.createTempDirectory("kernels");
        int count = 0;
        try (Stream<Path> sources = Files.list(Path.of(arguments[0]));
                ExecutorService compilers =
                        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            List<Future<?>> all = sources.flatMap(source -> architectures.stream()
                            .<Future<?>>map(architecture -> compilers.submit(() -> {
                                compile(folder, source, architecture, toolkit, output);
                                return null;
                            })))
                    .toList();
            for (Future<?> one : all) {
                try {
                    one.get();
                } catch (Exception e) {
                    compilers.shutdownNow();
                    throw e;
                }
                count++;
            }
        }
        Files.delete(folder);
        System.out.println(count + " kernels, by the toolkit " + toolkit + ", for " + String.join(", ", architectures));
    }

    private static void compile(Path folder, Path source, String architecture, String toolkit, Path output)
            throws IOException, InterruptedException {
        String name = source.getFileName() + "." + architecture;
        Path file = folder.resolve(name + ".cu");
        Path code = folder.resolve(name + ".cubin");
        Files.copy(source, file);
        run("nvcc", "-arch=" + architecture, "-std=c++17", "-cubin", "-o", code.toString(), file.toString());
        ShippedKernels.add(output, toolkit, Files.readString(source), architecture, Files.readAllBytes(code));
        Files.delete(file);
        Files.delete(code);
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new UncheckedIOException(new IOException(String.join(" ", command) + " failed:\n" + said));
        }
        return said;
    }
}
