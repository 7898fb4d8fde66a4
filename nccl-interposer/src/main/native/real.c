/* NCCL as it is installed, for calls that take no communicator, and the answers where there is none. */
#include "interposer.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void *library;

void open_real(void) {
    const char *path = getenv("MSCCLJ_NCCL_LIB");
    if (path == NULL || *path != '/') {
        return; /* Java's binding knows other values, and tells what is wrong with one */
    }
    char file[4096];
    struct stat status;
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (strlen(path) + sizeof "/" LIBRARY_NAME < sizeof file) {
        strcpy(file, path);
        strcat(file, folder ? "/" LIBRARY_NAME : "");
        library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    }
}

long refused(const char *name, const char *since) {
    return failed(INVALID_USAGE,
        "mscclj does not serve %s, which NCCL has since %s; run the program without mscclj nccl if it cannot do "
        "without",
        name, since);
}

typedef long four_words(long, long, long, long);

long passed(const char *name, const char *since, long a, long b, long c, long d) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_real);
    void *address = library == NULL ? NULL : dlsym(library, name);
    if (address == NULL) {
        return failed(INVALID_USAGE,
            "mscclj does not serve %s, which NCCL has since %s; set MSCCLJ_NCCL_LIB to the path of a library of NCCL "
            "that has it",
            name, since);
    }
    four_words *call;
    memcpy(&call, &address, sizeof call);
    return call(a, b, c, d);
}
