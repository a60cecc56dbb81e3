#pragma once
#include <stddef.h>

// The profiles of Scenarios/policies and Scenarios/populations as they were when the program was built, so that a copied
// program finds them without the repository.
struct shipped_profile {
  // Below `Scenarios`, such as "policies/guide.yaml".
  const char *path;
  const unsigned char *bytes;
  size_t size;
};

extern const struct shipped_profile *const shipped_profiles;
extern const size_t shipped_profile_count;
