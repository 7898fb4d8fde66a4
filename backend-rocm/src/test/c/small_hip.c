/* A HIP with as many functions as a search for GPUs calls. Variables say what they give. */
#include <stdlib.h>
#include <string.h>

static int setting(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

int hipInit(unsigned flags) {
    (void) flags;
    return setting("SMALL_HIP_INIT", 0);
}

int hipRuntimeGetVersion(int *version) {
    *version = setting("SMALL_HIP_VERSION", 60342131);
    return 0;
}

int hipGetDeviceCount(int *count) {
    *count = setting("SMALL_HIP_DEVICES", 2);
    return *count ? 0 : 100;
}

int hipGetLastError(void) {
    return 0;
}

const char *hipGetErrorName(int error) {
    return error == 802 ? "hipErrorSystemNotReady" : "hipErrorUnknown";
}

const char *hipGetErrorString(int error) {
    (void) error;
    return "text of the error";
}

int hipGetDevicePropertiesR0600(char *properties, int device) {
    (void) device;
    const char *architecture = getenv("SMALL_HIP_ARCHITECTURE");
    strcpy(properties + 1160, architecture ? architecture : "gfx90a:sramecc+:xnack-");
    return 0;
}
