package org.mscclj.plan.tuning;

import java.util.List;
import org.mscclj.api.tuning.TuningChoice;
import org.mscclj.api.tuning.TuningEntry;
import org.mscclj.api.tuning.TuningKey;
import org.mscclj.plan.document.JsonLayout;
import org.mscclj.plan.document.JsonWriter;

/** Writes the JSON of a tuning file: the fields of an entry in lines, and a line for each choice. */
final class TuningText {
    private final JsonWriter json;
    private final boolean comments;

    private TuningText(JsonWriter json, boolean comments) {
        this.json = json;
        this.comments = comments;
    }

    static String of(List<TuningEntry> entries, boolean comments) {
        return JsonWriter.document(JsonLayout.INDENTED, json -> {
            TuningText text = new TuningText(json, comments);
            json.beginObject();
            json.field("mscclj_tuning", TuningParser.FORMAT);
            json.beginArray("entries");
            entries.forEach(text::entry);
            json.end();
            json.end();
        });
    }

    private void entry(TuningEntry entry) {
        TuningKey key = entry.key();
        json.beginObject();
        json.field("backend", key.backend());
        json.field("device", key.device());
        json.field("ranks", key.ranks());
        json.field("topology", key.topology().label());
        json.field("driver", key.driver());
        json.field("version", key.version());
        comment(entry.comment());
        json.beginArray("choices");
        entry.choices().forEach(this::choice);
        json.end();
        json.end();
    }

    private void choice(TuningChoice choice) {
        json.beginLine();
        json.field("collective", choice.collective().toString());
        json.field("memory", choice.registered() ? "registered" : "plain");
        json.field("bytes", choice.leastBytes());
        json.field("algorithm", choice.algorithm());
        comment(choice.comment());
        json.end();
    }

    private void comment(String comment) {
        if (comments && !comment.isEmpty()) {
            json.field("comment", comment);
        }
    }
}
