/*
 * Creates the primary contexts of GPUs, one after the other, and gives each access to the memory of the others: the
 * minimum before a program's first collective. Prints milliseconds since START_NANOS (nanoseconds since 1970), and the
 * free MiB of the first GPU at that time.
 *
 *   cc -O2 -o contexts contexts.c -ldl && START_NANOS=$(date +%s%N) ./contexts GPUS
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MAX_GPUS 16
#define PEER_ACCESS_ALREADY_ENABLED 704

static void *driver;

static void *function(const char *name) {
    void *address = dlsym(driver, name);
    if (!address) {
        fprintf(stderr, "the driver has no %s\n", name);
        exit(1);
    }
    return address;
}

static void check(int result, const char *name) {
    if (result) {
        fprintf(stderr, "%s failed with %d\n", name, result);
        exit(1);
    }
}

static double millis(void) {
    struct timespec now;
    const char *start = getenv("START_NANOS");
    clock_gettime(CLOCK_REALTIME, &now);
    return ((double) (now.tv_sec * 1000000000LL + now.tv_nsec - (start ? atoll(start) : 0))) / 1e6;
}

int main(int count, char **arguments) {
    int gpus = count > 1 ? atoi(arguments[1]) : 1;
    if (gpus < 1 || gpus > MAX_GPUS) {
        fprintf(stderr, "number of GPUs is %s; allowed are 1 to %d\n", arguments[1], MAX_GPUS);
        return 2;
    }
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*init)(unsigned) = function("cuInit");
    int (*get)(int *, int) = function("cuDeviceGet");
    int (*can_access)(int *, int, int) = function("cuDeviceCanAccessPeer");
    int (*retain)(void **, int) = function("cuDevicePrimaryCtxRetain");
    int (*use)(void *) = function("cuCtxSetCurrent");
    int (*access)(void *, unsigned) = function("cuCtxEnablePeerAccess");
    int (*info)(size_t *, size_t *) = function("cuMemGetInfo_v2");
    void *contexts[MAX_GPUS];
    int devices[MAX_GPUS];

    check(init(0), "cuInit");
    double initialised = millis();
    for (int i = 0; i < gpus; i++) {
        check(get(&devices[i], i), "cuDeviceGet");
        check(retain(&contexts[i], devices[i]), "cuDevicePrimaryCtxRetain");
    }
    double made = millis();
    for (int i = 0; i < gpus; i++) {
        check(use(contexts[i]), "cuCtxSetCurrent");
        for (int peer = 0; peer < gpus; peer++) {
            int can = 0;
            if (peer != i) {
                check(can_access(&can, devices[i], devices[peer]), "cuDeviceCanAccessPeer");
            }
            int result = can ? access(contexts[peer], 0) : 0;
            check(result == PEER_ACCESS_ALREADY_ENABLED ? 0 : result, "cuCtxEnablePeerAccess");
        }
    }
    double all = millis();
    size_t unused;
    size_t total;
    check(use(contexts[0]), "cuCtxSetCurrent");
    check(info(&unused, &total), "cuMemGetInfo");
    printf("C    initialised %5.0f  contexts %5.0f  all %5.0f  free MiB %.1f\n", initialised, made, all,
           unused / (double) (1 << 20));
    return 0;
}
