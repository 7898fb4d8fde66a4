package org.mscclj.cli.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every rule fails on the fixtures that break it, and only on those. */
class ArchitectureRulesTest {
    private static final String FIXTURE = "org.mscclj.cli.architecture.fixture";

    private static final Map<String, ArchRule> RULES =
            new ArchitectureRules(FIXTURE, Set.of(FIXTURE + ".api.exported")).all();

    private static final JavaClasses FIXTURES =
            new ClassFileImporter().importPackages(FIXTURE, "jcuda.fixture", "tools.jackson.fixture");

    @ParameterizedTest
    @CsvSource({
        "dependenciesPointOneWay, api.ApiThatUsesTheRuntime",
        "dependenciesPointOneWay, backend.host.BackendThatUsesAnother",
        "dependenciesPointOneWay, spi.SpiThatUsesTheLanguage",
        "dependenciesPointOneWay, backend.host.BackendThatUsesTheAnalysis",
        "dependenciesPointOneWay, gpu.EngineThatUsesTheLanguage",
        "dependenciesPointOneWay, language.LanguageThatUsesTheAnalysis",
        "dependenciesPointOneWay, plan.PlanThatUsesTheLanguage",
        "dependenciesPointOneWay, surprise.ClassOfUnknownModule",
        "nativeCallsOnlyInFfmPackages, runtime.LinkerOutsideFfm",
        "nativeCallsOnlyInFfmPackages, runtime.LinkerOptionOutsideFfm",
        "nativeCallsOnlyInFfmPackages, runtime.SymbolLookupOutsideFfm",
        "nativeCallsOnlyInFfmPackages, runtime.FunctionDescriptorOutsideFfm",
        "reinterpretOnlyInFfmPackages, runtime.ReinterpretOutsideFfm",
        "jcudaOnlyInTheCudaBackend, runtime.JcudaOutsideTheCudaBackend",
        "gpuEngineKnowsNoVendor, gpu.EngineThatUsesJcuda",
        "gpuEngineKnowsNoVendor, gpu.EngineThatUsesABackend",
        "noBrokenJcudaFunctions, backend.cuda.CallOfABrokenFunction",
        "noBrokenJcudaFunctions, backend.cuda.UseOfJNvrtc",
        "standardStreamsOnlyInTheCli, runtime.Printer",
        "standardStreamsOnlyInTheCli, runtime.StackTracePrinter",
        "nobodySleeps, runtime.Sleeper",
        "nobodySleeps, runtime.SleeperByReference",
        "parkingInFewClasses, runtime.Parker",
        "noDefaultLocale, runtime.locale.FormatWithoutLocale",
        "noDefaultLocale, runtime.locale.FormattedText",
        "noDefaultLocale, runtime.locale.PrintfWithoutLocale",
        "noDefaultLocale, runtime.locale.CaseByReference",
        "noDefaultLocale, runtime.locale.DecimalFormatWithoutLocale",
        "noThreadsOfTheApplication, runtime.VirtualThreadStarter",
        "noThreadsOfTheApplication, runtime.CommonPoolUser",
        "noBareExceptions, runtime.BareThrower",
        "jacksonInNoExportedSignature, api.exported.JacksonAsParameter",
        "jacksonInNoExportedSignature, api.exported.JacksonAsTypeArgument",
        "jacksonInNoExportedSignature, api.exported.JacksonAsSupertype",
        "noPackageCycles, plan.cycle.one.One",
    })
    void ruleFailsOn(String rule, String offender) {
        List<String> details =
                RULES.get(rule).evaluate(FIXTURES).getFailureReport().getDetails();
        assertTrue(
                details.stream().anyMatch(line -> line.contains(FIXTURE + "." + offender)),
                () -> rule + " does not report " + offender + " but " + details);
    }

    @ParameterizedTest
    @CsvSource({
        "runtime.ffm.LinkerInsideFfm",
        "posix.LinkerInsidePosix",
        "backend.cuda.JcudaInsideTheCudaBackend",
        "cli.PrinterInsideTheCli",
        "runtime.SubclassThrower",
        "runtime.OwnPoolUser",
        "runtime.JacksonInside",
        "runtime.work.WorkWatcher",
        "runtime.locale.FormatWithLocale",
    })
    void noRuleFailsOn(String innocent) {
        RULES.forEach((name, rule) -> {
            List<String> details = rule.evaluate(FIXTURES).getFailureReport().getDetails();
            assertTrue(
                    details.stream().noneMatch(line -> line.contains(FIXTURE + "." + innocent)),
                    () -> name + " reports " + innocent + ": " + details);
        });
    }

    @Test
    void everyRuleHasAFixtureThatBreaksIt() {
        Set<String> broken = new TreeSet<>();
        RULES.forEach((name, rule) -> {
            if (rule.evaluate(FIXTURES).hasViolation()) {
                broken.add(name);
            }
        });
        assertEquals(new TreeSet<>(RULES.keySet()), broken);
    }
}
