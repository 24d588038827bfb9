# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a report back as a browser would: a tree of elements, and only well-formed ones."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser

VOID = {"meta", "br"}
# Everything in a page that makes a browser load something.
LOADING_TAGS = {
    "script",
    "link",
    "img",
    "image",
    "iframe",
    "object",
    "embed",
    "base",
    "use",
    "form",
}
LOADING_ATTRIBUTES = {"src", "srcset", "data", "action", "poster", "background", "xlink:href"}
SCALE = {
    "E": 1e18,
    "P": 1e15,
    "G": 1e9,
    "M": 1e6,
    "k": 1e3,
    "T": 1e12,
    "": 1.0,
    "m": 1e-3,
    "µ": 1e-6,
    "n": 1e-9,
}


@dataclasses.dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list = dataclasses.field(default_factory=list)

    @property
    def text(self) -> str:
        """All text in it, without tooltips."""
        parts = (
            child if isinstance(child, str) else "" if child.tag == "title" else child.text
            for child in self.children
        )
        return "".join(parts)

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def all(self, tag=None, **attributes):
        """Descendants with a tag and attributes, `data_x="y"`; True stands for any value."""
        wanted = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
        found = []
        for child in self.children:
            if isinstance(child, str):
                continue
            if tag in (None, child.tag) and all(
                key in child.attributes and value in (True, child.attributes[key])
                for key, value in wanted.items()
            ):
                found.append(child)
            found += child.all(tag, **attributes)
        return found

    def first(self, tag=None, **attributes):
        return self.all(tag, **attributes)[0]

    @property
    def tooltip(self) -> str:
        return self.first("title").children[0]


class _Parser(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        assert tag not in LOADING_TAGS, f"<{tag}> in the page"
        for name, value in attributes:
            assert name not in LOADING_ATTRIBUTES and not name.startswith("on"), f"<{tag} {name}>"
            assert name != "href" or value.startswith("#"), f"a link leads away: {value}"
        element = Element(tag, {name: value or "" for name, value in attributes})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].children.append(data)


def parse(text: str) -> Element:
    """The page, which must be well formed and need nothing from elsewhere."""
    assert text.startswith("<!DOCTYPE html>\n<html")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", text)
    parser = _Parser()
    parser.feed(text)
    parser.close()
    assert parser.open == [parser.root], f"<{parser.open[-1].tag}> is not closed"
    identities = [element.attributes["id"] for element in parser.root.all(id=True)]
    assert len(identities) == len(set(identities))
    links = {link.attributes["href"][1:] for link in parser.root.all("a")}
    assert links == set(identities)
    style = parser.root.first("style").text
    assert "url(" not in style and "@import" not in style
    return parser.root


def number(text: str) -> float:
    """Returns the value of "1.53 ms", "26.3 GB" or "1,234"."""
    match = re.fullmatch(r"([\d.,]+(?:e[+-]\d+)?)\s?([EPTGMkmµn]?)(?:B|s|FLOP|\s%)?", text.strip())
    assert match, text
    return float(match[1].replace(",", "")) * SCALE[match[2]]


def rows(table: Element) -> list[list[str]]:
    """The text of the cells of the body, row by row."""
    body = table.first("tbody")
    return [[cell.text for cell in row.all() if cell.tag in ("th", "td")] for row in body.all("tr")]


def tile(page: Element, name: str) -> list[str]:
    """The value and the remark of a tile."""
    entries = [
        entry for entry in page.all("div") if entry.all("dt")[:1] and entry.children[0].tag == "dt"
    ]
    found = [entry for entry in entries if entry.first("dt").text == name]
    return [value.text for value in found[0].all("dd")]
