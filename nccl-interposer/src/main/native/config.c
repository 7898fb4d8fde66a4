/* ncclConfig_t: which fields a structure has follows from its version, since 2.26 has put one into padding. */
#include "interposer.h"

#include <string.h>

result check_config(const config *options) {
    if (options == NULL) {
        return SUCCESS;
    }
    if (options->magic != CONFIG_MAGIC) {
        return failed(INVALID_ARGUMENT,
            "the configuration begins with 0x%x instead of 0x%x; initialize it with NCCL_CONFIG_INITIALIZER",
            options->magic, (unsigned int)CONFIG_MAGIC);
    }
    if (options->version < CONFIG_FIRST || options->size < sizeof(config) || options->size > 4096) {
        return failed(INVALID_ARGUMENT,
            "the configuration has version %u and %zu bytes; allowed: what NCCL_CONFIG_INITIALIZER of NCCL 2.14 or "
            "later sets",
            options->version, options->size);
    }
    if (options->blocking != UNDEFINED && options->blocking != 0 && options->blocking != 1) {
        return failed(INVALID_ARGUMENT, "blocking of the configuration is %d; allowed: 0 or 1", options->blocking);
    }
    return SUCCESS;
}

bool config_blocks(const config *options) {
    return options == NULL || options->blocking != 0;
}

const char *config_name(const config *options) {
    if (options == NULL || options->version < CONFIG_WITH_NAME || options->size < CONFIG_NAME_PLACE + sizeof(char *)) {
        return NULL;
    }
    const char *name;
    memcpy(&name, (const char *)options + CONFIG_NAME_PLACE, sizeof name);
    return name;
}
