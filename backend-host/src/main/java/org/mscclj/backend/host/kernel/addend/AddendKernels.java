package org.mscclj.backend.host.kernel.addend;

import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.mscclj.api.type.DataType;
import org.mscclj.api.type.DataType.Family;
import org.mscclj.backend.host.kernel.format.FloatFormat;
import org.mscclj.backend.host.kernel.format.IntegerFormat;
import org.mscclj.backend.host.kernel.scale.ScaleKernel;
import org.mscclj.backend.host.kernel.variant.KernelTemplate;
import org.mscclj.spi.engine.SumForm;
import org.mscclj.support.arithmetic.PairedAverage;

/** Creates and caches the conversions of addends, one instance of each. */
final class AddendKernels {
    private record Addends(DataType type, SumForm form) {}

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final Map<Addends, AddendKernel> KERNELS = new ConcurrentHashMap<>();

    private AddendKernels() {}

    static AddendKernel of(DataType type, SumForm form) {
        return KERNELS.computeIfAbsent(
                new Addends(type, form),
                _ -> form.isInPlaceOf(type)
                        ? new SameTypeAddends(ScaleKernel.of(type), type.byteSize(), form.divisor())
                        : create(type, form));
    }

    private static AddendKernel create(DataType type, SumForm form) {
        if (type.isFloat()) {
            var constant = new FloatAddends.Constant(FloatFormat.of(type), type.byteSize(), (float) form.divisor());
            return KernelTemplate.instantiate(LOOKUP, AddendKernel.class, FloatAddends.class, constant);
        }
        long ranks = (long) form.divisor();
        if (form.addends() == 2) {
            return new PairedAddends(new PairedAverage(ranks, type.family() == Family.UNSIGNED));
        }
        var constant = new WideAddends.Constant(
                IntegerFormat.of(type),
                type.byteSize(),
                IntegerFormat.of(form.type()),
                form.type().byteSize(),
                ranks);
        return KernelTemplate.instantiate(LOOKUP, AddendKernel.class, WideAddends.class, constant);
    }
}
