package org.mscclj.cli.measure;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.mscclj.api.error.InvalidArgumentException;
import org.mscclj.api.type.Collective;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses the name of a collective that can be measured: one for which a communicator has a method. */
public final class MeasuredCollective implements ITypeConverter<Collective> {
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
    public MeasuredCollective() {}

    @Override
    public Collective convert(String label) {
        try {
            return parse(label);
        } catch (InvalidArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /**
     * Parses a name.
     *
     * @throws InvalidArgumentException if it is not that of a collective that can be measured
     */
    public static Collective parse(String label) {
        return Arrays.stream(Collective.values())
                .filter(ALL::contains)
                .filter(collective -> collective.toString().equals(label))
                .findFirst()
                .orElseThrow(() -> InvalidArgumentException.of(
                        "collective",
                        '"' + label + '"',
                        ALL.stream().map(Collective::toString).collect(Collectors.joining(", ", "one of ", ""))));
    }
}
