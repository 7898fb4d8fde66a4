/*
 * Prints which NCCL a process gets: program framework FILE, by a library that needs NCCL; program nccl FILE, by NCCL's
 * own name or path; program id FILE, what the loaded NCCL says to a unique id of that file.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char bytes[128];
} unique_id;

static void *function(void *library, const char *name) {
    void *address = library == NULL ? NULL : dlsym(library, name);
    if (address == NULL) {
        fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(2);
    }
    return address;
}

int main(int count, char **words) {
    if (count < 3) {
        return 2;
    }
    void *library = dlopen(words[2], RTLD_NOW | RTLD_LOCAL);
    if (strcmp(words[1], "framework") == 0) {
        int (*version)(void);
        *(void **)&version = function(library, "framework_version");
        printf("%d\n", version());
    } else if (strcmp(words[1], "nccl") == 0) {
        int (*version)(int *), value = 0;
        *(void **)&version = function(library, "ncclGetVersion");
        version(&value);
        printf("%d\n", value);
    } else {
        unique_id id;
        void *comm;
        int (*make)(unique_id *), (*open)(void **, int, unique_id, int);
        const char *(*text)(void *);
        *(void **)&make = function(library, "ncclGetUniqueId");
        *(void **)&open = function(dlopen("libnccl.so.2", RTLD_NOW), "ncclCommInitRank");
        *(void **)&text = function(dlopen("libnccl.so.2", RTLD_NOW), "ncclGetLastError");
        make(&id);
        printf("%d ", open(&comm, 1, id, 0));
        printf("%s\n", text(NULL));
    }
    return 0;
}
