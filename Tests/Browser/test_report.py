"""What a person who opens a report in a browser relies on, at desktop and phone width, in light and dark.

Usage: test_report.py PUSHSIM OUTPUT_DIRECTORY
Makes results with the program, opens their pages in Chromium without a network, and fails on an error in the console, a
request, a chart without marks, texts of a chart that cover each other, a page that scrolls sideways, or a serious
finding of axe.
"""

import json
import pathlib
import subprocess
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUSHSIM = pathlib.Path(sys.argv[1]).resolve()
OUTPUT = pathlib.Path(sys.argv[2]).resolve()
HOSTILE = "</script><img src=x onerror=alert(1)>\"'&amp; \u202eabc\u05e9\u05dc\u05d5\u05dd \U0001f600 " + "x" * 10_000

# Marks are what a chart draws of the data; axes and texts do not count.
CHARTS = """() => [...document.querySelectorAll('figure svg')].filter(svg => svg.checkVisibility()).map(svg => ({
  label: svg.getAttribute('aria-label') || '',
  role: svg.getAttribute('role'),
  marks: svg.querySelectorAll('rect,circle,path').length,
  takeaway: svg.closest('figure').querySelector('figcaption p').textContent.trim(),
  overlaps: (() => {
    const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
    const found = [];
    for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
      const [a, b] = [boxes[i][1], boxes[j][1]];
      const w = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Line boxes are taller than letters.
      if (w > 1 && h > 0.35 * Math.min(a.height, b.height)) found.push(boxes[i][0] + ' / ' + boxes[j][0]);
    }
    return found;
  })(),
  outside: [...svg.querySelectorAll('text')].filter(t => {
    const [a, b] = [t.getBoundingClientRect(), svg.getBoundingClientRect()];
    return a.left < b.left - 2 || a.right > b.right + 2 || a.bottom > b.bottom + 2 || a.top < b.top - 2;
  }).map(t => t.textContent),
}))"""

failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def run(*arguments):
    result = subprocess.run([PUSHSIM, *arguments], cwd=ROOT, capture_output=True, text=True)
    if result.returncode not in (0, 1, 75):
        sys.exit(f"pushsim {' '.join(map(str, arguments))[:300]}: {result.stderr}")


def with_optional_fields(source, target):
    """Fields that other commands add, with made-up numbers: the page has charts for them."""
    result = json.loads(source.read_text())
    for strategy in result["strategies"].values():
        if not strategy["sent"]:
            continue
        times = [10 ** (k / 6 - 1) for k in range(37)]
        share = [0.3 * t / (t + 20) for t in times]
        strategy["incidence"] = {
            "times_s": times,
            "ends": {
                "delivered": {
                    "estimate": share,
                    "low": [0.9 * s for s in share],
                    "high": [1.1 * s for s in share],
                },
                "expired_at_apns": {"estimate": [0.03 * t / 1e5 for t in times]},
            },
        }
        strategy["by_hour_and_battery"] = [
            [{"sent": 0 if h < 6 and b == 0 else 100, "delivered_within_5min": 0 if h < 6 and b == 0 else 9 * b}
             for b in range(10)]
            for h in range(24)
        ]
        strategy["held_time_s"] = {"low_power_mode": 123456, "usage_history": 654321.5}
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(result))
    run("report", target)


def make_pages():
    small = ["--devices", "40", "--replications", "2", "--quiet"]
    run("run", "Scenarios/news_feed.yaml", *small, "--output", OUTPUT / "news")
    run("run", "Scenarios/news_feed.yaml", *small, "--policy", "guide", "--policy", "evidence",
        "--set", "experiment.duration=2 d", "--output", OUTPUT / "policies")
    run("run", "Scenarios/news_feed.yaml", *small, "--set", "policy.hourly_budget.limit=1 /h",
        "--set", "experiment.duration=3 d", "--output", OUTPUT / "other")
    # Text of the scenario that wants to be more than text.
    text = (ROOT / "Scenarios/news_feed.yaml").read_text()
    said = json.dumps(HOSTILE, ensure_ascii=False)
    name = json.dumps("<b onmouseover=alert(2)>'\"& " + "y" * 300)
    text = text.replace("scenario: news_feed", f"scenario: {said}")
    text = text.replace("question: How often", f"question: {said[:-1]} How often").replace("the app?", 'the app?"')
    text = text.replace("  on_open_only:", f"  {name}: {{background_push: {{send: {{every: 3 h}}}}}}\n  on_open_only:")
    hostile = OUTPUT / "hostile scenario '.yaml"
    hostile.write_text(text)
    run("run", hostile, *small, "--no-plausible", "--set", "experiment.duration=2 d", "--output", OUTPUT / "hostile")
    crowd = []
    for i in range(7):
        crowd += ["--set", f"strategies.a_further_strategy_{i}={{background_push: {{send: {{every: {i + 3} h}}}}}}"]
    run("run", "Scenarios/news_feed.yaml", *small, *crowd, "--no-plausible", "--set", "experiment.duration=4 d",
        "--output", OUTPUT / "twelve")
    with_optional_fields(OUTPUT / "twelve/result.json", OUTPUT / "rich/result.json")
    run("run", "Scenarios/offline_reading.yaml", *small, "--set", "experiment.duration=3 d",
        "--set", "experiment.uncertainty={samples: 3, replications: 2}", "--output", OUTPUT / "reading")
    run("run", "Scenarios/incoming_calls.yaml", *small, "--set", "experiment.duration=2 d", "--output", OUTPUT / "calls")
    run("compare", OUTPUT / "news/result.json", OUTPUT / "other/result.json", "--output", OUTPUT / "compared")
    every = "strategies.push_hourly.background_push.send.every"
    run("sweep", "Scenarios/news_feed.yaml", *small, "--set", "experiment.duration=2 d", "--over", f"{every}=30 min,1 h,4 h",
        "--output", OUTPUT / "curve")
    run("sweep", "Scenarios/news_feed.yaml", *small, "--set", "experiment.duration=2 d", "--over", f"{every}=30 min,4 h",
        "--over", "policy.hourly_budget.limit=1 /h,3 /h", "--output", OUTPUT / "heat")
    run("sensitivity", "Scenarios/news_feed.yaml", "--metric", "wakes_per_device_day", "--method", "tornado",
        "--devices", "40", "--parameter", "policy.hourly_budget.*", "--set", "experiment.duration=4 d", "--output", OUTPUT / "tornado", "--quiet")
    run("report", OUTPUT / "news/result.json", "--decision", "--output", OUTPUT / "decision")
    studies = [OUTPUT / "curve/sweep.html", OUTPUT / "heat/sweep.html", OUTPUT / "tornado/sensitivity.html",
               OUTPUT / "decision/decision.html"]
    return studies + [OUTPUT / name / "report.html" for name in ["news", "policies", "hostile", "rich", "reading", "calls"]] + [
        OUTPUT / "compared/compare.html"
    ]


def look(browser, path, width, scheme):
    where = f"{path.parent.name} at {width} px, {scheme}"
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.on("console", lambda m: expect(m.type not in ("error", "warning"), f"{where}: console: {m.text[:200]}"))
    page.on("pageerror", lambda e: failures.append(f"{where}: {e}"))
    page.on("dialog", lambda d: (failures.append(f"{where}: a dialog"), d.dismiss()))
    page.on("request", lambda r: expect(
        r.url == path.as_uri() or r.url.startswith(("data:", "blob:")), f"{where}: asks for {r.url}"))
    page.goto(path.as_uri())
    if page.query_selector("details.all"):
        expect(not page.query_selector("details.all").get_attribute("open"), f"{where}: the details are unfolded")
        words = len(page.inner_text("body").split())
        # Two policies, and both widths of each number, take more words.
        most = 1900 if path.parent.name == "policies" else 1500
        expect(words < most or path.parent.name == "hostile", f"{where}: {words} words before the fold")
        unfolded = page.evaluate("document.documentElement.scrollHeight")
        expect(unfolded < 12 * 900 or width < 600, f"{where}: {unfolded} px before the fold")
    expect(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{where}: scrolls sideways")
    expect(not page.query_selector("img, iframe, object, b[onmouseover]"), f"{where}: markup of the scenario")
    # The question is answered on the first screen of a desktop: by the title, and by a table below it.
    title, answer = page.query_selector("h1"), page.query_selector(".answer table, main figure, main table, main li")
    # Below a question of ten thousand letters nothing is on the first screen.
    hostile = path.parent.name == "hostile"
    is_first = answer and (width < 600 or hostile or answer.bounding_box()["y"] < 500)
    expect(title and answer and is_first, f"{where}: the first screen has no answer")
    expect(hostile or title.bounding_box()["y"] < 300, f"{where}: the title is not on the first screen")
    clipped = page.evaluate("""() => [...document.querySelectorAll('.scroll')].filter(
        box => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1).map(box => box.ariaLabel)""")
    expect(hostile or width > 600 or not [c for c in clipped if c != "chart"], f"{where}: scrolls sideways in {clipped[:3]}")
    charts = page.evaluate(CHARTS)
    # Where policies disagree on calls, tables say it.
    expect(charts or path.parent.name in ("calls", "decision"), f"{where}: no charts")
    for chart in charts:
        what = f"{where}: chart `{chart['label'][:80]}`"
        expect(chart["marks"] > 0, f"{what} has no marks")
        expect(chart["role"] == "img" and chart["label"], f"{what} has no role or no label")
        expect(chart["takeaway"], f"{what} says nothing")
        expect(not chart["overlaps"], f"{what}: texts overlap: {chart['overlaps'][:3]}")
        expect(not chart["outside"], f"{what}: texts stick out: {chart['outside'][:3]}")
    found = Axe().run(page).response["violations"] if width in (375, 1280) else []
    for violation in found:
        if violation["impact"] in ("serious", "critical"):
            failures.append(f"{where}: axe: {violation['id']}: {violation['nodes'][0]['html'][:200]}")
    # Everything that opens can be opened from the keyboard, and fits.
    summary = page.query_selector("details.all > summary")
    if summary:
        summary.focus()
        page.keyboard.press("Enter")
        expect(page.evaluate("document.querySelector('details.all').open"), f"{where}: a summary does not open")
        for summary in page.query_selector_all("details.all details > summary"):
            summary.evaluate("it => it.parentElement.open = true")
        expect(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{where}: details scroll sideways")
    expect(not page.query_selector("script"), f"{where}: a script")
    # A push that did not arrive says why when it is chosen, in its picture alone.
    lost = page.query_selector("figure svg a[href^='#device']")
    if lost and path.parent.name == "news":
        said = page.query_selector(".said")
        expect(not said.is_visible(), f"{where}: a sentence that nobody chose")
        place = lost.get_attribute("href")
        page.evaluate("place => location.hash = place", place)
        chosen = page.query_selector_all(".said")
        shown = [it for it in chosen if it.is_visible()]
        expect(len(shown) == 1 and "#" + shown[0].get_attribute("id") == place, f"{where}: no sentence of {place}")
        expect(len(shown[0].inner_text()) > 40, f"{where}: an empty sentence")
    page.emulate_media(media="print")
    expect(page.query_selector("figure svg[viewBox], table"), f"{where}: nothing to print")
    page.emulate_media(media="screen")
    page.screenshot(path=OUTPUT / f"{path.parent.name}-{width}-{scheme}.png")
    context.close()


def main():
    pages = make_pages()
    for path in pages:
        size = path.stat().st_size
        expect(size < 3_000_000, f"{path.parent.name}: {size} bytes")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for path in pages:
            for width, scheme in [(1280, "light"), (375, "dark")]:
                look(browser, path, width, scheme)
            # The widths between and beyond have the same layout: one page of each kind tells.
            if path.parent.name in ("news", "tornado"):
                for width, scheme in [(768, "light"), (1920, "dark")]:
                    look(browser, path, width, scheme)
        browser.close()
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(pages)} pages, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
