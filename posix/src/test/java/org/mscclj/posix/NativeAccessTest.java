package org.mscclj.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class NativeAccessTest {
    private static final Module NAMED = NativeAccess.class.getModule();

    private static void refuse() {
        throw new IllegalCallerException("as Java refuses");
    }

    @Test
    void thisModuleMayCallNativeCode() {
        assertEquals(Optional.empty(), NativeAccess.refusal());
    }

    @Test
    void refusalsSayWhatToAdd() {
        assertEquals(
                Optional.of("module org.mscclj.posix may not call native code; start Java with"
                        + " --enable-native-access=org.mscclj.posix"),
                NativeAccess.refusal(NAMED, NativeAccessTest::refuse));
        Module unnamed = ClassLoader.getSystemClassLoader().getUnnamedModule();
        assertEquals(
                Optional.of("code on the class path may not call native code; start Java with"
                        + " --enable-native-access=ALL-UNNAMED"),
                NativeAccess.refusal(unnamed, NativeAccessTest::refuse));
    }
}
