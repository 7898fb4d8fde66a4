# shellcheck shell=bash disable=SC2034,SC2154 # variables of the scripts that read this file
# JUnit's console launcher, of the version that fits the JUnit of the build: 1.14.4 to 5.14.4.

find_junit() {
    local version
    version=$(sed -n 's/.*<junit.version>5\.\([^<]*\)<.*/1.\1/p' "$root/pom.xml")
    [ -n "$version" ] || fail 1 "pom.xml has no junit.version that begins with 5, and the console launcher's follows it"
    junit=$cache/junit-$version
    junit_artifact=org.junit.platform:junit-platform-console-standalone:$version
    made "junit-$version" copy_junit
}

copy_junit() {
    local folder=$PWD
    # The version of the plugin is that of the build.
    (cd "$root" && mvn -B -q -N dependency:copy "-Dartifact=$junit_artifact" "-DoutputDirectory=$folder") >log 2>&1 || {
        cat log >&2
        fail 69 "Maven could not fetch $junit_artifact"
    }
}
