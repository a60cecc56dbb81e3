#include "chart_library.h"

#include "chart_library_version.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#if defined(__has_embed)
#if __has_embed("chart_library.js.gz.base64")
#define HAS_LIBRARY 1
#endif
#endif

#ifdef HAS_LIBRARY
static const unsigned char library[] = {
#embed "chart_library.js.gz.base64"
};
const size_t chart_library_size = sizeof library;
#else
static const unsigned char library[1] = {0};
const size_t chart_library_size = 0;
#endif

const char *const chart_library_sha256 = CHART_LIBRARY_SHA256;
const char *const chart_library_name = CHART_LIBRARY_NAME;

const unsigned char *chart_library_text(void) { return library; }
