package org.mscclj.runtime.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Keeps what is logged. */
public final class LoggedMessages implements System.Logger {
    private final List<String> all = new ArrayList<>();

    /** Nothing was logged yet. */
    public LoggedMessages() {}

    /** Level and text of each message. */
    public List<String> all() {
        return all;
    }

    @Override
    public String getName() {
        return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
        return true;
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
        all.add(level + " " + message);
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String format, Object @Nullable ... params) {
        all.add(level + " " + format);
    }
}
