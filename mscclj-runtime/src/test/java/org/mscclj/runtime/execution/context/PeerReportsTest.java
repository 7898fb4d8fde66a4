package org.mscclj.runtime.execution.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mscclj.api.error.MsccljException;
import org.mscclj.runtime.control.Message;

/** What ranks can do together, by what each of them reports. */
class PeerReportsTest {
    /** The members of three ranks: a dash for a rank that cannot use multicast, {@code ''} for one of no device. */
    @ParameterizedTest
    @CsvSource({
        "gpu-1, gpu-2, gpu-3, true",
        "gpu-1, gpu-2, gpu-1, false",
        "gpu-1, -, gpu-3, false",
        "'', '', '', true",
        "gpu-1, '', '', true"
    })
    void aDeviceIsAMemberOnce(String first, String second, String third, boolean together) {
        List<Message> reports = Stream.of(first, second, third)
                .map(member -> Optional.of(member).filter(text -> !text.equals("-")))
                .map(member -> new Message(PeerReports.encode(false, member)))
                .toList();
        assertEquals(new PeerReports(List.of(), together), PeerReports.of(reports));
    }

    @Test
    void ranksThatCannotMapAreNamed() {
        List<Message> reports = Stream.of(true, false, true)
                .map(failed -> new Message(PeerReports.encode(failed, Optional.empty())))
                .toList();
        assertEquals(new PeerReports(List.of(0, 2), false), PeerReports.of(reports));
    }

    @Test
    void otherBytesAreRefused() {
        List<Message> reports = List.of(new Message(new byte[] {3}));
        assertThrows(MsccljException.class, () -> PeerReports.of(reports));
    }
}
