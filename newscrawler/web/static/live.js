// A crawl as it goes on, by server-sent events: its figures, outcomes, problems, progress and log.
"use strict";
const figures = document.getElementById("figures");
let newest = 0;

function add(parent, tag, text, kind) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

function fill(id, rows, link) {
  const body = document.getElementById(id);
  body.replaceChildren();
  for (const [name, count] of rows) {
    const row = add(body, "tr");
    const head = add(row, "th", link ? undefined : name);
    head.scope = "row";
    if (link) add(head, "a", name).href = "?" + new URLSearchParams({ reason: name }) + "#urls";
    add(row, "td", count.toLocaleString("en"), "num");
  }
}

function show(said) {
  figures.replaceChildren();
  for (const [label, [value, note]] of Object.entries(said.figures)) {
    const group = add(figures, "div");
    add(group, "dt", label);
    add(group, "dd", value);
    add(group, "dd", note);
  }
  fill("outcomes", Object.entries(said.outcomes));
  const failed = said.errors.filter(([group]) => group === "could not be fetched");
  fill("errors", failed.map(([, kind, count]) => [kind, count]), true);
  fill("others", said.errors.filter(([group]) => group !== "could not be fetched").map(([, kind, count]) => [kind, count]), true);
  document.getElementById("no-errors").hidden = failed.length > 0;
  document.getElementById("progress").value = said.progress;
  const fetched = document.getElementById("fetched");
  if (fetched && !new URLSearchParams(location.search).get("reason")) {
    fetched.replaceChildren();
    for (const [at, url, status, article, result] of said.urls) {
      const row = add(fetched, "tr");
      add(row, "td", at, "time wide-only");
      add(row, "td", url, "address");
      add(row, "td", status, "num wide-only");
      const cell = add(row, "td", article ? undefined : result);
      if (article) add(cell, "a", "article " + article).href = "/articles/" + article;
    }
  }
  const log = document.getElementById("log");
  for (const line of said.lines) {
    if (line.id <= newest) continue;  // the browser has opened the stream again
    newest = line.id;
    const made = document.createElement("li");
    if (line.level !== "info") made.className = "fail";
    add(made, "time", line.at);
    add(made, "span", line.level, "what");
    add(made, "span", line.message).dir = "auto";
    log.prepend(made);
  }
  document.getElementById("no-lines").hidden = log.children.length > 0;
}

if (figures && figures.dataset.events) {
  newest = Number(new URL(figures.dataset.events, location.href).searchParams.get("after"));
  const events = new EventSource(figures.dataset.events);
  events.addEventListener("message", (event) => {
    const said = JSON.parse(event.data);
    show(said);
    if (said.ended) location.reload();  // the result, with the account of named articles
  });
}
