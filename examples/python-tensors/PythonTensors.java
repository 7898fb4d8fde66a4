import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.mscclj.api.LocalGroup;
import org.mscclj.api.device.Device;
import org.mscclj.api.device.DeviceBuffer;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.dlpack.ExportedTensor;
import org.mscclj.dlpack.ImportedTensor;
import org.mscclj.dlpack.TensorExport;
import org.mscclj.dlpack.TensorImport;
import org.mscclj.dlpack.TensorLayout;

/**
 * Tensors of PyTorch, or arrays of NumPy where ranks are on the CPU, and buffers of ours: the same memory, in one process, without a copy.
 *
 * <p>Two ranks, each a thread. First Python makes tensors, which we reduce in place; then we allocate memory, which Python fills as tensors of its own,
 * and we reduce that.
 */
public final class PythonTensors {
    private static final TensorLayout LAYOUT = TensorLayout.contiguous(DataType.FLOAT32, 2, 3);

    /**
     * What Python does. A tensor goes over as the address of a {@code DLManagedTensorVersioned}, which Python wraps into an object that it calls a
     * capsule. Whoever has taken the tensor out of it renames it, so that it is not deleted twice.
     */
    private static final String DEFINITIONS =
            """
            import ctypes, gc
            NAME, USED = b'dltensor_versioned', b'used_dltensor_versioned'
            api = ctypes.pythonapi
            api.PyCapsule_New.restype = ctypes.py_object
            api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
            api.PyCapsule_GetPointer.restype = ctypes.c_void_p
            api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
            api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
            tensors, capsules = {}, {}

            class Theirs:
                '''What from_dlpack wants: an object that gives a capsule, and knows the device.'''
                def __init__(self, address, device):
                    self.address, self.device = address, device
                def __dlpack_device__(self):
                    return self.device
                def __dlpack__(self, **options):
                    return api.PyCapsule_New(self.address, NAME, None)

            def give(rank, answer):
                capsules[rank] = tensors[rank].__dlpack__(max_version=(1, 0))
                address = api.PyCapsule_GetPointer(capsules[rank], NAME)
                ctypes.c_int64.from_address(answer).value = address

            def taken(rank):
                api.PyCapsule_SetName(capsules.pop(rank), USED)

            def expect(rank, values):
                found = tensors[rank].flatten().tolist()
                assert found == values, found
                print(f'rank {rank}: {type(tensors[rank]).__module__} has {found}')
            """;

    private static final String NUMPY =
            """
            import numpy
            def create(rank, device):
                tensors[rank] = numpy.arange(6, dtype='float32').reshape(2, 3) + rank
            def receive(rank, address, device):
                tensors[rank] = numpy.from_dlpack(Theirs(address, (1, 0)))
            def finish(device):
                pass
            """;

    private static final String PYTORCH =
            """
            import torch
            def create(rank, device):
                tensors[rank] = torch.arange(6, dtype=torch.float32, device=f'cuda:{device}').reshape(2, 3) + rank
                finish(device)
            def receive(rank, address, device):
                tensors[rank] = torch.from_dlpack(Theirs(address, (2, device)))
            def finish(device):
                torch.cuda.current_stream(device).synchronize()  # our streams know nothing of it
            """;

    private PythonTensors() {}

    /**
     * Runs two ranks in this process, on the best backend.
     *
     * @param arguments the executable of Python, {@code python3} if there is none
     */
    public static void main(String[] arguments) throws Throwable {
        Python python = Python.start(arguments.length > 0 ? arguments[0] : "python3");
        python.run(DEFINITIONS);
        try (LocalGroup group = LocalGroup.open(2)) {
            python.run(group.communicator(0).device().backend().equals("host") ? NUMPY : PYTORCH);
            reduceTheirs(group, python);
            reduceOurs(group, python);
        }
        System.out.println("all tensors were right, and are deleted");
    }

    /** Tensors of Python, as buffers of ours. */
    private static void reduceTheirs(LocalGroup group, Python python) {
        List<ImportedTensor> tensors = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_LONG);
            for (int rank = 0; rank < group.size(); rank++) {
                Device device = group.communicator(rank).device();
                python.run(String.format(Locale.ROOT, "create(%d, %d); give(%d, %d)", rank, device.index(), rank, answer.address()));
                tensors.add(TensorImport.of(device, answer.get(ValueLayout.JAVA_LONG, 0)).take());
                python.run(String.format(Locale.ROOT, "taken(%d)", rank));
            }
        }
        allReduce(group, tensors.stream().map(ImportedTensor::buffer).toList());
        for (int rank = 0; rank < group.size(); rank++) {
            tensors.get(rank).close(); // Python's own reference keeps the memory
            python.run(String.format(Locale.ROOT, "expect(%d, [1, 3, 5, 7, 9, 11]); del tensors[%d]", rank, rank));
        }
    }

    /** Buffers of ours, as tensors of Python. */
    private static void reduceOurs(LocalGroup group, Python python) {
        DeviceBuffer[] buffers = new DeviceBuffer[group.size()];
        group.run(communicator -> buffers[communicator.rank()] = communicator.allocate(LAYOUT.byteSpan()));
        ExportedTensor[] tensors = new ExportedTensor[group.size()];
        for (int rank = 0; rank < group.size(); rank++) {
            Device device = group.communicator(rank).device();
            tensors[rank] = TensorExport.of(device, buffers[rank], LAYOUT).create();
            python.run(String.format(Locale.ROOT, "receive(%d, %d, %d)", rank, tensors[rank].address(), device.index()));
            python.run(String.format(Locale.ROOT, "tensors[%d][:] = %d; finish(%d)", rank, 10 + rank, device.index()));
        }
        allReduce(group, List.of(buffers));
        for (int rank = 0; rank < group.size(); rank++) {
            python.run(String.format(Locale.ROOT, "expect(%d, [21] * 6); del tensors[%d]; gc.collect()", rank, rank));
            if (!tensors[rank].isDeleted()) {
                throw new IllegalStateException("rank " + rank + ": Python still has the tensor");
            }
            buffers[rank].close();
        }
    }

    /**
     * What ranks do meanwhile must not be Python's: it may load a kernel, which waits on a GPU for those that run there, and those of one rank wait for the
     * other rank's.
     */
    private static void allReduce(LocalGroup group, List<DeviceBuffer> buffers) {
        group.run(communicator -> {
            DeviceBuffer buffer = buffers.get(communicator.rank());
            communicator.allReduce(buffer, buffer, DataType.FLOAT32, ReduceOp.SUM).join();
        });
    }
}
