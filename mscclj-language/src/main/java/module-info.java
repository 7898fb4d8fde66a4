import org.jspecify.annotations.NullMarked;

/** The language in which collectives are written, the passes that compile it to plans, and the shipped programs. */
@NullMarked
module org.mscclj.language {
    requires transitive org.mscclj.api;
    requires transitive org.mscclj.plan;
    requires static org.jspecify;

    exports org.mscclj.language;
    exports org.mscclj.language.program;
    exports org.mscclj.language.selection;
}
