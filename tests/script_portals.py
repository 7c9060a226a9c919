"""Portals whose pages are made by scripts, in the manner of four frameworks, with the articles that they show as gold."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from portal_server import Answer, PortalServer, Route

_NOUNS = (
    "bridge", "harbour", "library", "theatre", "tramway", "orchard", "stadium", "reservoir", "museum", "market", "school", "ferry",
    "railway", "hospital", "archive", "brewery", "airport", "quarry", "lighthouse", "aqueduct", "cinema", "college", "garden",
    "factory", "windmill",
)  # fmt: skip
_SENTENCES = (
    "The council voted on {day} November to repair the {noun}, and set {n} million aside for the work that begins in spring.",
    "Engineers had warned for years that the {noun} would not outlast another winter without new foundations.",
    "“Nobody here can imagine the town without it,” said the mayor, who grew up within sight of the {noun}.",
    "Residents of the surrounding streets were told that the {noun} stays open on weekends while scaffolding goes up.",
    "Critics of the plan argue that {n} million would be better spent on the roads that lead to the {noun}.",
    "The regional fund covers a third of the cost; the rest is to come from a loan over {n} years.",
    "An earlier proposal to sell the {noun} to a private operator found no majority in the assembly last year.",
)


@dataclass(frozen=True, slots=True)
class Story:
    """One article as its portal publishes it."""

    number: int

    @property
    def noun(self) -> str:
        return _NOUNS[self.number % len(_NOUNS)]

    @property
    def title(self) -> str:
        return f"Town sets aside {self.number + 2} million to repair its old {self.noun}"

    @property
    def path(self) -> str:
        return f"/news/town-repairs-its-old-{self.noun}-{10_000 + self.number}"

    @property
    def author(self) -> str:
        return ("Jana Nováková", "Peter Hall", "Marie Dupont", "Luis Ortega")[self.number % 4]

    @property
    def published(self) -> str:
        return f"2026-11-{self.number % 20 + 1:02}T08:{self.number % 60:02}:00+00:00"

    @property
    def paragraphs(self) -> list[str]:
        chosen = [_SENTENCES[(self.number + step) % len(_SENTENCES)] for step in range(len(_SENTENCES))]
        texts = [text.format(noun=self.noun, n=self.number + 2, day=self.number % 20 + 1) for text in chosen]
        return [" ".join(texts[:2]), " ".join(texts[2:4]), " ".join(texts[4:6]), texts[6]]

    @property
    def data(self) -> dict[str, object]:
        """The story as an API gives it."""
        html = "".join(f"<p>{text}</p>" for text in self.paragraphs)
        return {
            "id": 10_000 + self.number, "slug": self.path.rpartition("/")[2], "headline": self.title, "publishedAt": self.published,
            "author": {"name": self.author}, "body": html,
        }  # fmt: skip


Stories = tuple[Story, ...]
STORIES: Stories = tuple(map(Story, range(25)))
_BUNDLE = "/static/app.js"
_FETCH_AND_SHOW = """
const root = document.getElementById("root");
const text = (tag, value) => { const made = document.createElement(tag); made.textContent = value; return made; };
async function show() {
  if (location.pathname === "/") {
    const list = await (await fetch("/api/stories")).json();
    const menu = document.createElement("main");
    for (const story of list) {
      const link = text("a", story.headline);
      link.href = "/news/" + story.slug;
      menu.append(document.createElement("p"));
      menu.lastChild.append(link);
    }
    root.replaceChildren(text("h1", "The Courier"), menu);
    return;
  }
  const story = await (await fetch("/api/stories/" + location.pathname.split("/").pop())).json();
  const article = document.createElement("article");
  article.append(text("h1", story.headline), text("address", "By " + story.author.name));
  const time = text("time", story.publishedAt.slice(0, 10));
  time.dateTime = story.publishedAt;
  article.append(time);
  const body = document.createElement("div");
  body.innerHTML = story.body;
  article.append(body);
  root.replaceChildren(article);
  document.title = story.headline + " | The Courier";
}
show();
"""
_SHADOW = """
class StoryPage extends HTMLElement {
  async connectedCallback() {
    const shadow = this.attachShadow({mode: "closed"});
    const story = await (await fetch("/api/stories/" + location.pathname.split("/").pop())).json();
    const article = "<article><h1></h1><address></address><time></time><story-text></story-text></article>";
    shadow.innerHTML = article + "<footer><slot></slot></footer>";
    shadow.querySelector("h1").textContent = story.headline;
    shadow.querySelector("address").textContent = "By " + story.author.name;
    shadow.querySelector("time").dateTime = story.publishedAt;
    shadow.querySelector("time").textContent = story.publishedAt.slice(0, 10);
    shadow.querySelector("story-text").show(story.body);
    document.title = story.headline + " | The Courier";
  }
}
class StoryText extends HTMLElement {
  show(html) { this.attachShadow({mode: "open"}).innerHTML = "<div>" + html + "</div>"; }
}
customElements.define("story-text", StoryText);
customElements.define("story-page", StoryPage);
"""
_SCROLL = """
let page = 0, under_way = false;
const list = document.getElementById("list");
async function more() {
  if (under_way) return;
  under_way = true;
  const stories = await (await fetch("/api/pages/" + page)).json();
  page += 1;
  for (const story of stories) {
    const link = document.createElement("a");
    link.href = "/news/" + story.slug;
    link.textContent = story.headline;
    const row = document.createElement("li");
    row.style.height = "300px";
    row.append(link);
    list.append(row);
  }
  under_way = false;
}
addEventListener("scroll", () => { if (innerHeight + scrollY >= document.body.scrollHeight - 50) more(); });
more();
"""


def _page(body: str, head: str = "") -> str:
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>The Courier</title>{head}</head>"
        f"<body>{body}<script src='{_BUNDLE}'></script></body></html>"
    )


def _json(value: object) -> Answer:
    return Answer(json.dumps(value), kind="application/json")


def _api(stories: Stories) -> dict[str, Route]:
    routes: dict[str, Route] = {f"/api/stories/{story.data['slug']}": _json(story.data) for story in stories}
    routes["/api/stories"] = _json([{"headline": story.title, "slug": story.data["slug"]} for story in stories])
    return routes


def _front(stories: Stories) -> str:
    rows = "".join(f"<li><a href='{story.path}'>{story.title}</a></li>" for story in stories)
    return f"<html lang=en><head><title>The Courier</title></head><body><h1>The Courier</h1><ul>{rows}</ul></body></html>"


def named_api(stories: Stories = STORIES) -> dict[str, Route]:
    """An empty root; each page names the answer of the API that fills it."""
    routes = _api(stories) | {"/": _front(stories), _BUNDLE: Answer(_FETCH_AND_SHOW, kind="text/javascript")}
    for story in stories:
        link = f"<link rel=preload as=fetch crossorigin href='/api/stories/{story.data['slug']}'>"
        routes[story.path] = _page("<div id=root></div>", link)
    return routes


def unnamed_api(stories: Stories = STORIES) -> dict[str, Route]:
    """An empty root, the front page too; nothing names the API but the script."""
    shell = _page("<div id=root></div>")
    pages = {story.path: shell for story in stories}
    return _api(stories) | {"/": shell, _BUNDLE: Answer(_FETCH_AND_SHOW, kind="text/javascript"), **pages}


def hydration(stories: Stories = STORIES) -> dict[str, Route]:
    """An empty root, and the state from which scripts fill it."""
    routes: dict[str, Route] = {"/": _front(stories), _BUNDLE: Answer("", kind="text/javascript")}
    for story in stories:
        others = [{"headline": other.title, "slug": other.data["slug"]} for other in stories[:6] if other is not story]
        state = {"props": {"pageProps": {"article": story.data, "related": others}}}
        script = f"<script id=__DATA__ type='application/json'>{json.dumps(state)}</script>"
        routes[story.path] = _page(f"<div id=root></div>{script}")
    return routes


def amp(stories: Stories = STORIES) -> dict[str, Route]:
    """An empty root, and an AMP page of each article."""
    routes: dict[str, Route] = {"/": _front(stories), _BUNDLE: Answer("", kind="text/javascript")}
    for story in stories:
        paragraphs = "".join(f"<p>{text}</p>" for text in story.paragraphs)
        routes[story.path] = _page("<div id=root></div>", f"<link rel=amphtml href='/amp{story.path}'>")
        routes[f"/amp{story.path}"] = (
            f"<!doctype html><html amp lang=en><head><meta charset=utf-8><link rel=canonical href='{story.path}'>"
            f"<title>{story.title} | The Courier</title></head><body>"
            f"<article><h1>{story.title}</h1><address>By {story.author}</address>"
            f"<time datetime='{story.published}'>{story.published[:10]}</time>{paragraphs}</article></body></html>"
        )
    return routes


def shadow(stories: Stories = STORIES) -> dict[str, Route]:
    """Articles in a closed shadow root with another inside it."""
    page = _page("<story-page><p>The Courier brings the news of the town.</p></story-page>")
    return _api(stories) | {
        "/": _front(stories),
        _BUNDLE: Answer(_SHADOW, kind="text/javascript"),
        **{story.path: page for story in stories},
    }


def endless(stories: Stories = STORIES) -> dict[str, Route]:
    """A front page that asks for more when it is scrolled; the articles are pages of HTML."""
    routes: dict[str, Route] = {"/": _page("<ul id=list></ul>"), _BUNDLE: Answer(_SCROLL, kind="text/javascript")}
    for number in range(7):
        rows = stories[5 * number : 5 * number + 5]
        routes[f"/api/pages/{number}"] = _json([{"headline": story.title, "slug": story.data["slug"]} for story in rows])
    for path, page in amp(stories).items():
        if path.startswith("/amp"):
            routes[path.removeprefix("/amp")] = page
    return routes


PORTALS: dict[str, Callable[[Stories], dict[str, Route]]] = {
    "named api": named_api, "unnamed api": unnamed_api, "hydration": hydration, "amp": amp, "shadow": shadow, "endless": endless,
}  # fmt: skip


def serve(name: str, stories: Stories = STORIES) -> PortalServer:
    """Return a server of one of the portals."""
    return PortalServer(PORTALS[name](stories))
