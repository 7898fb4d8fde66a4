/* What the process itself uses of CUDA. */
#include "interposer.h"

#include <dlfcn.h>
#include <string.h>

void *cuda_function(const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    if (found == NULL) {
        void *driver = dlopen(DRIVER_NAME, RTLD_LAZY | RTLD_NOLOAD);
        found = driver == NULL ? NULL : dlsym(driver, name);
    }
    return found;
}

typedef int get_device(int *device);

int current_device(void) {
    void *address = cuda_function(CURRENT_DEVICE);
    if (address == NULL) {
        address = cuda_function(CURRENT_CONTEXTS_DEVICE);
    }
    int device = 0;
    if (address != NULL) {
        get_device *get;
        memcpy(&get, &address, sizeof get);
        if (get(&device) != 0) {
            device = 0;
        }
    }
    return device;
}
