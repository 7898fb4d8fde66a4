package org.mscclj.runtime.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.mscclj.api.Stores;
import org.mscclj.api.bootstrap.PortRange;
import org.mscclj.api.bootstrap.RendezvousAddress;
import org.mscclj.api.bootstrap.Store;
import org.mscclj.api.bootstrap.StoreAddress;
import org.mscclj.api.bootstrap.StoreServer;

/** A store of each kind, as several clients see it. */
public enum StoreKind {
    /** In this process. */
    MEMORY,
    /** In a folder. */
    FILE,
    /** By TCP. */
    TCP;

    /** Several views of one store, which end together. */
    public interface Shared extends AutoCloseable {
        Store view();

        @Override
        void close();
    }

    /** A new store. */
    public Shared open(Path folder) {
        return switch (this) {
            case MEMORY -> sharing(Stores.inProcess());
            case FILE ->
                new Shared() {
                    @Override
                    public Store view() {
                        return Stores.file(folder.resolve("store"));
                    }

                    @Override
                    public void close() {}
                };
            case TCP -> {
                StoreServer server = Stores.serve(loopback("sehr geheimer Text"));
                yield new Shared() {
                    @Override
                    public Store view() {
                        return Stores.tcp(server.address(), Duration.ofSeconds(20));
                    }

                    @Override
                    public void close() {
                        server.close();
                    }
                };
            }
        };
    }

    public static StoreAddress loopback(String secret) {
        return new StoreAddress(RendezvousAddress.of("127.0.0.1", PortRange.ANY), secret, Optional.empty());
    }

    private static Shared sharing(Store store) {
        return new Shared() {
            @Override
            public Store view() {
                return store;
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }
}
