#include "chart_library.h"

#include "chart_library_version.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#if defined(__has_embed)
#if __has_embed("chart_library.js.gz")
#define HAS_LIBRARY 1
#endif
#endif

#ifdef HAS_LIBRARY
static const unsigned char chart_library_gzip[] = {
#embed "chart_library.js.gz"
};
const size_t chart_library_gzip_size = sizeof chart_library_gzip;
#else
static const unsigned char chart_library_gzip[1] = {0};
const size_t chart_library_gzip_size = 0;
#endif

const char *const chart_library_sha256 = CHART_LIBRARY_SHA256;
const char *const chart_library_name = CHART_LIBRARY_NAME;

const unsigned char *chart_library_bytes(void) { return chart_library_gzip; }
