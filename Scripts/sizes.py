#!/usr/bin/env python3
"""Checks that functions and files of Sources are short enough to read.

A function has at most 70 lines, a file at most 400. size-exceptions.txt names those that are longer, with their size;
an entry can only be lowered or removed. Prints what is wrong, and leaves with status 1.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = {"function": 70, "file": 400}
DECLARATION = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)]*\))?\s+|(?:\w+(?:\(set\))?) +)*?"
    r"(?:(?P<kind>func|var|subscript|init|deinit)\b[?!]?)\s*(?P<name>`[^`]*`|[\w]+|[^\s\w(<{]+)?",
    re.M,
)


def without_texts(source):
    """The source with every comment and the inside of every text as spaces; lines stay where they are."""
    out = []
    index = 0
    # Of each text that is open: its closing mark, then the depth of parentheses of the interpolation at hand.
    texts = []

    def blank(upto):
        nonlocal index
        out.append(re.sub(r"[^\n]", " ", source[index:upto]))
        index = upto

    while index < len(source):
        if texts and texts[-1][1] == 0:
            closing, _, hashes = texts[-1]
            if source.startswith(closing, index):
                texts.pop()
                blank(index + len(closing))
            elif source.startswith("\\" + hashes + "(", index):
                texts[-1][1] = 1
                blank(index + 2 + len(hashes))
            elif source.startswith("\\" + hashes, index):
                blank(index + 2 + len(hashes))
            else:
                blank(index + 1)
        elif source.startswith("//", index):
            end = source.find("\n", index)
            blank(len(source) if end < 0 else end)
        elif source.startswith("/*", index):
            end = source.find("*/", index)
            blank(len(source) if end < 0 else end + 2)
        elif opening := re.compile(r'(#*)("""|")').match(source, index):
            hashes, mark = opening.groups()
            texts.append([mark + hashes, 0, hashes])
            blank(opening.end())
        else:
            if texts:
                texts[-1][1] += {"(": 1, ")": -1}.get(source[index], 0)
                blank(index + 1)
            else:
                out.append(source[index])
                index += 1
    return "".join(out)


def closing_brace(code, start):
    """Where the block ends that begins at a brace."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(code, start):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.start()
    return len(code)


def body(code, kind, start):
    """Where the body of a declaration begins; None without one."""
    depth = 0
    for match in re.compile(r"[(){\[\]}\n=]").finditer(code, start):
        mark = match.group()
        if mark in "([":
            depth += 1
        elif mark in ")]":
            depth -= 1
        elif depth > 0:
            continue
        elif mark == "{":
            return match.start()
        elif mark == "}" or (mark == "=" and kind == "var"):
            return None
        elif mark == "\n" and kind == "var":
            return None
        elif mark == "\n" and re.compile(r"\s*(?:\}|\n|@|(?:\w+ )*(?:func|var|let|init|case|subscript|associatedtype)\b)").match(
            code, match.end()
        ):
            return None
    return None


def functions(code):
    """The functions of a file: name and number of lines, from the declaration to the closing brace."""
    for match in DECLARATION.finditer(code):
        kind = match["kind"]
        start = body(code, kind, match.end())
        if start is not None:
            first = code.count("\n", 0, match.start("kind"))
            yield (
                match["name"] if kind in ("func", "var") else kind,
                code.count("\n", 0, closing_brace(code, start)) - first + 1,
            )


def measured():
    """What is there: kind and size by name, which is a path, and of a function its path and name."""
    sizes = {}
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        source = path.read_text()
        name = str(path.relative_to(ROOT))
        sizes[name] = ("file", source.count("\n"))
        for function, lines in functions(without_texts(source)):
            key = f"{name}:{function}"
            # Functions of one name in one file: the longest stands for all.
            if lines > sizes.get(key, ("", 0))[1]:
                sizes[key] = ("function", lines)
    return sizes


def main():
    sizes = measured()
    wrong = []
    listed = {}
    exceptions = ROOT / "Scripts/size-exceptions.txt"
    for line in exceptions.read_text().splitlines():
        if line and not line.startswith("#"):
            size, name = line.split(maxsplit=1)
            listed[name] = int(size)
    for name, size in listed.items():
        kind, now = sizes.get(name, ("file", 0))
        if now <= LONGEST[kind]:
            wrong.append(f"{name} has {now} lines, within the limit: remove its entry from {exceptions.name}")
        elif now < size:
            wrong.append(f"{name} has {now} lines and no longer {size}: lower its entry in {exceptions.name}")
    for name, (kind, now) in sizes.items():
        most = max(listed.get(name, 0), LONGEST[kind])
        if now > most:
            wrong.append(f"{name} has {now} lines; a {kind} may have {most}")
    for text in wrong:
        print(text)
    if "--list" in sys.argv[1:]:
        for name, (kind, now) in sorted(sizes.items(), key=lambda item: -item[1][1]):
            print(f"{now:4} {kind:8} {name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
