package org.mscclj.runtime.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.runtime.fuzz.Fuzz;

/** Decoding what clients and servers of a store say is total. */
class StoreFuzzTest {
    @Test
    void changedRequestsAreDecodedOrRefused() {
        Fuzz.run(
                "request",
                List.of(
                        StoreRequest.encode(new StoreRequest.Set("key", new byte[] {1, 2})),
                        StoreRequest.encode(new StoreRequest.Get("key", Duration.ofMillis(1500))),
                        StoreRequest.encode(new StoreRequest.Find("key")),
                        StoreRequest.encode(new StoreRequest.Add("key", -3)),
                        StoreRequest.encode(new StoreRequest.Await(List.of("a", "b"), Duration.ofSeconds(1))),
                        StoreRequest.encode(new StoreRequest.Delete("key"))),
                StoreRequest::decode);
    }

    @Test
    void changedRepliesAreDecodedOrRefused() {
        Fuzz.run(
                "reply",
                List.of(
                        StoreReply.encode(new StoreReply.Value(Optional.of(new byte[] {1}))),
                        StoreReply.encode(new StoreReply.Value(Optional.empty())),
                        StoreReply.encode(new StoreReply.WholeNumber(7)),
                        StoreReply.encode(new StoreReply.Failed(StoreReply.Failure.REFUSED, "why"))),
                StoreReply::decode);
    }
}
