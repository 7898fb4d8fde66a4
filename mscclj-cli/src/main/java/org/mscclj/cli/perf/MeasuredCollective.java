package org.mscclj.cli.perf;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of a collective that can be measured: one for which a communicator has a method. */
final class MeasuredCollective implements ITypeConverter<Collective> {
    private static final Set<Collective> ALL = EnumSet.of(
            Collective.ALLREDUCE,
            Collective.ALLGATHER,
            Collective.REDUCESCATTER,
            Collective.BROADCAST,
            Collective.ALLTOALL,
            Collective.REDUCE,
            Collective.SCATTER,
            Collective.GATHER);

    /** Called by picocli. */
    MeasuredCollective() {}

    @Override
    public Collective convert(String label) {
        return Arrays.stream(Collective.values())
                .filter(ALL::contains)
                .filter(collective -> collective.toString().equals(label))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(InvalidArgumentException.of(
                                "collective",
                                '"' + label + '"',
                                ALL.stream().map(Collective::toString).collect(Collectors.joining(", ", "one of ", "")))
                        .getMessage()));
    }
}
