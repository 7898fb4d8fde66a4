package org.mscclj.interposer;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.mscclj.api.CollectiveCall;
import org.mscclj.api.Communicator;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;

/**
 * Does what ranks do first, on processors, while the VM records the classes of that: with an archive of them, a rank
 * starts with a third less CPU time. {@code mscclj dist} makes the archive.
 */
final class Rehearsal {
    private static final int RANKS = 2;
    private static final int LIMIT_SECONDS = 60;
    private static final int BYTES = 1 << 12;

    /** Classes that ranks load on GPUs alone. */
    private static final Pattern OF_GPUS = Pattern.compile(
            "(jcuda|mscclj-(backend-cuda|backend-nccl-fallback|backend-rocm|device-kernels|gpu-engine))-\\d.*");

    private Rehearsal() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws Exception {
        byte[] id = NcclCalls.uniqueId();
        CompletableFuture<?>[] ranks = IntStream.range(0, RANKS)
                .mapToObj(rank -> CompletableFuture.runAsync(
                        () -> rehearse(id, rank), work -> Thread.ofPlatform().start(work)))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ranks).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (OF_GPUS.matcher(new File(entry).getName()).matches()) {
                load(entry);
            }
        }
    }

    private static void rehearse(byte[] id, int rank) {
        int number = NcclCalls.open(rank, id, RANKS, rank, 0, "", "host");
        Communicator communicator = NcclCalls.find(number).communicator();
        try (DeviceBuffer input = communicator.device().allocate(BYTES);
                DeviceBuffer output = communicator.device().allocate(BYTES)) {
            communicator
                    .execute(CollectiveCall.allReduce(input, output, DataType.FLOAT32)
                            .op(ReduceOp.SUM))
                    .join();
        }
        NcclCalls.close(number);
    }

    /** Loads the classes of a jar without initializing them. */
    private static void load(String jar) throws IOException, ClassNotFoundException {
        try (JarFile open = new JarFile(jar)) {
            for (String name : open.stream().map(Object::toString).toList()) {
                if (name.endsWith(".class") && !name.equals("module-info.class")) {
                    String type = name.substring(0, name.length() - ".class".length());
                    Class.forName(type.replace('/', '.'), false, Rehearsal.class.getClassLoader());
                }
            }
        }
    }
}
