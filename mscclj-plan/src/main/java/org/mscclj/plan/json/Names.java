package org.mscclj.plan.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.mscclj.api.type.Collective;
import org.mscclj.api.type.ReduceOp;
import org.mscclj.plan.BufferType;
import org.mscclj.plan.ChannelType;
import org.mscclj.plan.DataKind;
import org.mscclj.plan.Protocol;

/** The names that stand for enumerated values in plan files, in the order in which messages list them. */
final class Names {
    static final Map<String, Collective> COLLECTIVES = byName(Stream.of(Collective.values()), Collective::label);
    static final Map<String, Protocol> PROTOCOLS = byName(Stream.of(Protocol.values()), Protocol::label);
    static final Map<String, BufferType> BUFFERS = byName(Stream.of(BufferType.values()), BufferType::letter);
    static final Map<String, ChannelType> CHANNELS = byName(Stream.of(ChannelType.values()), ChannelType::label);
    static final Map<String, DataKind> DATA_KINDS = byName(Stream.of(DataKind.values()), DataKind::label);

    /** The operations that a plan can fix; every other one is the caller's choice. */
    static final Map<String, ReduceOp.Kind> REDUCE_OPS =
            byName(Stream.of(ReduceOp.Kind.SUM, ReduceOp.Kind.MIN, ReduceOp.Kind.MAX), ReduceOp.Kind::label);

    /** The operations that order, and the pipeline. */
    static final List<String> CONTROL = List.of(
            "nop",
            "barrier",
            "signal",
            "rlxsignal",
            "wait",
            "rlxwait",
            "flush",
            "sem_acquire",
            "sem_release",
            "pipeline");

    private Names() {}

    private static <T> Map<String, T> byName(Stream<T> values, Function<T, String> name) {
        Map<String, T> map = new LinkedHashMap<>();
        values.forEach(value -> map.put(name.apply(value), value));
        return Collections.unmodifiableMap(map);
    }
}
