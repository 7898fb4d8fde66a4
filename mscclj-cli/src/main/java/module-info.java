import org.jspecify.annotations.NullMarked;

/** The command line. */
@NullMarked
module org.mscclj.cli {
    requires org.mscclj.runtime;
    requires info.picocli;
    requires static transitive org.jspecify;

    opens org.mscclj.cli to
            info.picocli;
}
