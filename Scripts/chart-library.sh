#!/usr/bin/env bash
# Makes Sources/CChartLibrary/chart_library.js.gz.base64 anew: Vega-Lite with all it needs, as the Python package vl-convert
# bundles it. To be run for a new version only; then look at pages again and check THIRD-PARTY.md.
set -euo pipefail
cd "$(dirname "$0")/.."

package=vl-convert-python==1.9.0.post1
environment=.build/chart-library
if [ ! -x "$environment/bin/python" ]; then
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check "$package"
fi
"$environment/bin/python" - Sources/CChartLibrary <<'PYTHON'
import base64, gzip, hashlib, pathlib, sys
import vl_convert

folder = pathlib.Path(sys.argv[1])
# The bundle has one-letter names at its top; they are kept to themselves.
text = "(function(){" + vl_convert.javascript_bundle() + "})();"
assert "</script" not in text.lower()
packed = gzip.compress(text.encode(), 9, mtime=0)
(folder / "chart_library.js.gz.base64").write_bytes(base64.encodebytes(packed))
digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
name = f"Vega {vl_convert.get_vega_version()}, Vega-Lite {vl_convert.get_vegalite_versions()[-1]}"
name += f", Vega-Embed {vl_convert.get_vega_embed_version()}"
(folder / "chart_library_version.h").write_text(
    "// Written by Scripts/chart-library.sh.\n"
    f'#define CHART_LIBRARY_SHA256 "{digest}"\n#define CHART_LIBRARY_NAME "{name}"\n'
)
PYTHON
