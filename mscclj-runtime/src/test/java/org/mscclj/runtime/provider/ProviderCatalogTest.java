package org.mscclj.runtime.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mscclj.api.ProviderStatus;
import org.mscclj.api.error.UnsupportedException;
import org.mscclj.spi.Availability;
import org.mscclj.spi.Provider;

class ProviderCatalogTest {
    /** Who was asked whether it can be used, and what it is, in order. */
    private final List<String> asked = new ArrayList<>();

    private final ProviderCatalog<Provider> catalog = ProviderCatalog.of(
            "backend",
            List.of(
                    new Told(asked, "slow", 0, Availability.available()),
                    new Told(asked, "missing", 200, Availability.unavailable("there is no hardware")),
                    new Told(asked, "fast", 100, Availability.available())));

    private record Told(List<String> asked, String name, int priority, Availability availability) implements Provider {
        @Override
        public String description() {
            asked.add(name + "?");
            return "the " + name + " one";
        }

        @Override
        public Availability probe() {
            asked.add(name);
            return availability;
        }
    }

    @Test
    void theBestIsFoundAndTheRestNotAsked() {
        assertEquals("fast", catalog.find(Optional.empty()).name());
        assertEquals(List.of("missing", "fast"), asked);
    }

    @Test
    void theBestThatSuitsIsFound() {
        assertEquals(
                "slow",
                catalog.find(Optional.empty(), provider -> !provider.name().equals("fast"))
                        .name());
        assertEquals(
                "fast", catalog.find(Optional.of("fast"), provider -> false).name());
    }

    @Test
    void oneThatIsNamedIsFoundAndNoOtherAsked() {
        assertEquals("slow", catalog.find(Optional.of("slow")).name());
        assertEquals(List.of("slow"), asked);
    }

    @Test
    void oneThatCannotBeUsedIsRefusedWithTheReason() {
        UnsupportedException e = assertThrows(UnsupportedException.class, () -> catalog.find(Optional.of("missing")));
        assertEquals(
                "backend missing is not available; installed: missing (not usable: there is no hardware); fast"
                        + " (usable); slow"
                        + " (usable)",
                e.getMessage());
    }

    @Test
    void everyProviderHasAStatusBestFirst() {
        assertEquals(
                List.of(
                        new ProviderStatus("missing", 200, "missing", Optional.of("there is no hardware")),
                        new ProviderStatus("fast", 100, "the fast one", Optional.empty()),
                        new ProviderStatus("slow", 0, "the slow one", Optional.empty())),
                catalog.statuses());
    }
}
