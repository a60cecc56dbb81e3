#include "shipped_profiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char guide[] = {
#embed "../../Scenarios/policies/guide.yaml"
};
static const unsigned char evidence[] = {
#embed "../../Scenarios/policies/evidence.yaml"
};
static const unsigned char consumer_default[] = {
#embed "../../Scenarios/populations/consumer_default.yaml"
};

static const struct shipped_profile profiles[] = {
    {"policies/guide.yaml", guide, sizeof guide},
    {"policies/evidence.yaml", evidence, sizeof evidence},
    {"populations/consumer_default.yaml", consumer_default, sizeof consumer_default},
};

const struct shipped_profile *const shipped_profiles = profiles;
const size_t shipped_profile_count = sizeof profiles / sizeof *profiles;
