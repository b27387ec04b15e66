#!/usr/bin/env python3
"""Names that would clash where the sources of a module are compiled together (BRISANCE_BATCH, cmake/modules.cmake): sources of
a batch share one unnamed namespace. And classes of one name in two headers of a module. Prints each, and ends with 1 if there are any: rename one, or list its source as APART.

    scripts/check_batches.py
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TYPE = re.compile(r"\b(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)\s*(?:final\s*)?(?::[^;{]*)?\{")
ALIAS = re.compile(r"\busing\s+(\w+)\s*=")
FUNCTION = re.compile(r"(?:^|[\s*&>])(\w+)\s*\(([^{}]*)\)\s*(?:const|noexcept|\s)*\{", re.S)
VARIABLE = re.compile(r"\b(?:constexpr|const)\b[^;(){}=]*?\b(\w+)\s*(?:\[[^\]]*\])*\s*[={]")


def without_comments(text):
    """Comments and the insides of strings blanked out, lines kept."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0]) if match[0][0] == "/" else '""'
    return re.sub(r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)


def end_of_block(text, start):
    """Where the brace opened before `start` closes."""
    depth = 1
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text)


def flattened(text):
    """The text at the block's own level: the inside of braces is dropped."""
    result, depth = [], 0
    for c in text:
        if c == "}":
            depth -= 1
        if depth == 0:
            result.append(c)
        if c == "{":
            depth += 1
    return "".join(result)


def parameter_types(text):
    """Of a parameter list; names, which may differ, are dropped."""
    types = [re.sub(r"(?<=[\w>&*\s])\b\w+$", "", part.split("=")[0].strip()) if " " in part.strip() else part
             for part in re.split(r",(?![^<]*>)", text)]
    return ",".join(re.sub(r"\s", "", kind) for kind in types)


def unnamed(text):
    """(what, clashing key) of everything that a source's unnamed namespaces declare."""
    text = without_comments(text)
    found = set()
    for match in re.finditer(r"\bnamespace\s*\{", text):
        block = flattened(text[match.end():end_of_block(text, match.end())])
        for pattern in (TYPE, ALIAS, VARIABLE):
            found |= {(name, name) for name in pattern.findall(block)}
        found |= {(name, f"{name}({parameter_types(given)})") for name, given in FUNCTION.findall(block)
                  if name not in ("if", "for", "while", "switch")}
    return found


def declared_types(module):
    """Types of the module's headers."""
    headers = [*(ROOT / "include/brisance" / module).rglob("*.hpp"), *(ROOT / "src" / module).rglob("*.hpp")]
    return {name for header in headers for name in TYPE.findall(without_comments(header.read_text()))}


def batches():
    """Module -> its sources that are compiled together."""
    result = {}
    for listing in ROOT.glob("src/**/CMakeLists.txt"):
        text = re.sub(r"#[^\n]*", "", listing.read_text())
        variables = {name: value.split() for name, value in re.findall(r"set\((\w+)\s+([^)]*)\)", text)}
        for body in re.findall(r"brisance_module\(([^)]*)\)", text):
            module, *words = body.split()
            if module == "app":
                continue  # its groups are listed in its own file
            apart, heading = set(), ""
            for word in words:
                if word in ("PLAIN", "DEPENDS", "LINK", "EXCEPT", "APART"):
                    heading = word
                elif heading in ("EXCEPT", "APART"):
                    apart |= set(variables.get(word[2:-1], [])) if word.startswith("${") else {word}
            folder = ROOT / "src" / module
            result[module] = [source for source in sorted(folder.rglob("*.cpp"))
                              if str(source.relative_to(folder)) not in apart and source.name != "main.cpp"
                              and not (module == "mesh" and source.is_relative_to(folder / "solids"))]
    return result


def twice_declared(module):
    """Types that two headers of a module define in one namespace: different classes of one name."""
    owners = defaultdict(set)
    for folder in ("include/brisance", "src"):
        for header in (ROOT / folder / module).rglob("*.hpp"):
            text = without_comments(header.read_text())
            spaces = re.findall(r"^namespace (brisance::[\w:]+)", text, re.M)
            for name in re.findall(r"^(?:class|struct) (\w+)(?: final)?(?:\s*:(?!:)[^{;]*)?\s*\{", text, re.M):
                owners[(tuple(spaces), name)].add(header)
    return {name: headers for (_, name), headers in owners.items() if len(headers) > 1}


def main():
    clashes = 0
    for module, sources in sorted(batches().items()):
        types, owners = declared_types(module), defaultdict(list)
        for name, headers in sorted(twice_declared(module).items()):
            print(f"{name}: " + ", ".join(str(header.relative_to(ROOT)) for header in sorted(headers)))
            clashes += 1
        for source in sources:
            text = source.read_text()
            if "foreach_target.h" in text:
                print(f"{source.relative_to(ROOT)} includes itself once for each vector unit: list it as APART")
                clashes += 1
            for name, key in unnamed(text):
                owners[key].append(source)
                if key in types:
                    print(f"{source.relative_to(ROOT)}: {key} is also a type of a header of {module}")
                    clashes += 1
        for key, places in sorted(owners.items()):
            if len(places) > 1:
                print(f"{key}: " + ", ".join(str(place.relative_to(ROOT)) for place in sorted(places)))
                clashes += 1
    print(f"batches: {clashes} name(s) clash" if clashes else "batches: no names clash")
    return 1 if clashes else 0


if __name__ == "__main__":
    sys.exit(main())
