package org.mscclj.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mscclj.cli.architecture.ProjectModules.ProjectModule;

class ArchitectureTest {
    private static final List<ProjectModule> MODULES = ProjectModules.all();

    @TestFactory
    Stream<DynamicTest> everyMainClassKeepsTheRules() {
        JavaClasses classes = new ClassFileImporter()
                .importLocations(
                        MODULES.stream().map(ArchitectureTest::locationOf).toList());
        for (ProjectModule module : MODULES) {
            long imported = classes.stream()
                    .filter(type -> !type.getSimpleName().equals("package-info"))
                    .filter(type -> module.descriptor().packages().contains(type.getPackageName()))
                    .count();
            assertEquals(module.classes(), imported, () -> "classes imported from " + module.location());
        }
        return new ArchitectureRules("org.mscclj", exportedPackages())
                .all().entrySet().stream()
                        .map(e -> DynamicTest.dynamicTest(
                                e.getKey(), () -> e.getValue().check(classes)));
    }

    @Test
    void theModulesOfTheCommandAreAllSeen() {
        Set<String> names = MODULES.stream().map(ProjectModule::name).collect(Collectors.toCollection(TreeSet::new));
        assertTrue(
                names.containsAll(Set.of(
                        "org.mscclj.api",
                        "org.mscclj.plan",
                        "org.mscclj.language",
                        "org.mscclj.analysis",
                        "org.mscclj.spi",
                        "org.mscclj.runtime",
                        "org.mscclj.dlpack",
                        "org.mscclj.objects",
                        "org.mscclj.backend.host",
                        "org.mscclj.backend.cuda",
                        "org.mscclj.backend.rocm",
                        "org.mscclj.gpu",
                        "org.mscclj.device.kernels",
                        "org.mscclj.transport.tcp",
                        "org.mscclj.transport.ib",
                        "org.mscclj.transport.nvls",
                        "org.mscclj.cli")),
                names::toString);
        assertEquals(names.size(), MODULES.size(), "each once");
    }

    private static Location locationOf(ProjectModule module) {
        URI uri = module.location().toUri();
        return Location.of(Files.isDirectory(module.location()) ? uri : URI.create("jar:" + uri + "!/"));
    }

    private static Set<String> exportedPackages() {
        return MODULES.stream()
                .flatMap(module -> module.descriptor().exports().stream())
                .filter(exports -> !exports.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toSet());
    }
}
