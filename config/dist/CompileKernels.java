import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.mscclj.backend.cuda.driver.CudaDriver;
import org.mscclj.gpu.compile.ShippedKernels;

/** Compiles kernels ahead by nvcc: CompileKernels SOURCES FOLDER OUTPUT ARCHITECTURE…, on the class path of the command; kernels.sh calls it. The folder is for files meanwhile. */
class CompileKernels {
    private static final Pattern RELEASE = Pattern.compile("release (\\d+\\.\\d+)");

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        Path output = Path.of(arguments[2]);
        List<String> architectures = List.of(arguments).subList(3, arguments.length);
        Matcher release = RELEASE.matcher(run("nvcc", "--version"));
        if (!release.find()) {
            throw new IllegalStateException("nvcc --version names no release");
        }
        ShippedKernels.begin(output, release.group(1));
        List<Future<?>> all = new ArrayList<>();
        int failures = 0;
        try (Stream<Path> sources = Files.list(Path.of(arguments[0]));
                ExecutorService compilers =
                        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            sources.forEach(source -> architectures.forEach(architecture -> all.add(compilers.submit(() -> {
                compile(folder, source, architecture, output);
                return null;
            }))));
            for (Future<?> one : all) {
                try {
                    one.get();
                } catch (ExecutionException e) {
                    System.err.println(e.getCause().getMessage());
                    failures++;
                }
            }
        }
        System.out.println((all.size() - failures) + " kernels, by the toolkit " + release.group(1) + ", for "
                + String.join(", ", architectures) + (failures == 0 ? "" : "; " + failures + " do not compile"));
        System.exit(failures == 0 && !all.isEmpty() ? 0 : 1);
    }

    private static void compile(Path folder, Path source, String architecture, Path output)
            throws IOException, InterruptedException {
        String name = source.getFileName() + "." + architecture;
        Path file = folder.resolve(name + ".cu");
        Path code = folder.resolve(name + ".cubin");
        Files.copy(source, file);
        run("nvcc", "-arch=" + architecture, "-std=c++17", "-cubin", "-o", code.toString(), file.toString());
        ShippedKernels.add(output, Files.readString(source), CudaDriver.INSTANCE.compiler().options(architecture),
                Files.readAllBytes(code));
        Files.delete(file);
        Files.delete(code);
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed:\n" + said);
        }
        return said;
    }
}
