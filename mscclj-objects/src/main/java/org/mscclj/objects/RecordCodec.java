package org.mscclj.objects;

import org.mscclj.api.error.InvalidArgumentException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Codec of records as JSON. Types in the data are ignored: the mapper has no default typing. */
final class RecordCodec<R extends Record> implements ObjectCodec<R> {
    private static final JsonMapper MAPPER = JsonMapper.builder(StrictJson.factory())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Class<R> type;
    private final ObjectWriter writer;
    private final ObjectReader reader;

    RecordCodec(Class<R> type) {
        if (!type.isRecord()) {
            throw InvalidArgumentException.of("class of records", type.getName(), "a record");
        }
        this.type = type;
        this.writer = MAPPER.writerFor(type);
        this.reader = MAPPER.readerFor(type);
    }

    @Override
    public byte[] encode(R object) {
        try {
            byte[] document = writer.writeValueAsBytes(object);
            String _ = StrictJson.require(document);
            return document;
        } catch (JacksonException | InvalidArgumentException e) {
            throw new InvalidArgumentException(
                    "a record " + type.getName() + " cannot be written as JSON: " + e.getMessage(), e);
        }
    }

    @Override
    public R decode(byte[] bytes) {
        try (JsonParser parser = new FiniteNumbers(reader.createParser(StrictJson.require(bytes)))) {
            R object = reader.readValue(parser);
            if (object != null) {
                return object;
            }
        } catch (JacksonException | InvalidArgumentException e) {
            throw new InvalidArgumentException(
                    bytes.length + " bytes are no record " + type.getName() + " in JSON: " + e.getMessage()
                            + "; do all ranks use the same codec?",
                    e);
        }
        throw new InvalidArgumentException(bytes.length + " bytes are null, and no record " + type.getName());
    }
}
