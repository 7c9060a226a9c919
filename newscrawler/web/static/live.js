// A crawl as it goes on, by server-sent events: its figures, errors, queue, rate and log.
"use strict";
const table = document.getElementById("figures");
const state = document.getElementById("state");
let newest = 0;

function row(head, ...cells) {
  const made = document.createElement("tr");
  for (const [place, content] of [head, ...cells].entries()) {
    const cell = document.createElement(place || typeof head !== "object" ? "td" : "th");
    if (cell.tagName === "TH") cell.scope = "row";
    if (typeof content === "number") {
      cell.className = "number";
      cell.textContent = content.toLocaleString("en").replaceAll(",", "\u202f");
    } else cell.append(content);
    made.append(cell);
  }
  return made;
}

function linked(kind) {
  const link = document.createElement("a");
  link.href = "?" + new URLSearchParams({ reason: kind }) + "#urls";
  link.textContent = kind;
  return link;
}

function show(said) {
  table.tBodies[0].replaceChildren(...Object.entries(said.figures).map(([name, value]) => row(document.createTextNode(name), value)));
  const errors = said.errors.map(([group, kind, count]) => row(linked(kind), group, count));
  document.getElementById("errors").tBodies[0].replaceChildren(...errors);
  document.getElementById("waiting").textContent = said.waiting.toLocaleString("en").replaceAll(",", "\u202f");
  document.getElementById("rate").textContent = said.rate;
  const log = document.getElementById("log").tBodies[0];
  const box = log.closest(".scroll");
  const follows = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  for (const line of said.lines) {
    if (line.id <= newest) continue;  // the browser has opened the stream again
    newest = line.id;
    const made = row(line.at, line.level, line.message);
    if (line.level !== "info") made.cells[1].className = "bad";
    log.append(made);
  }
  if (follows) box.scrollTop = box.scrollHeight;
  if (said.ended) state.textContent = "ended: " + said.ended;
}

if (table && table.dataset.events) {
  newest = Number(new URL(table.dataset.events, location.href).searchParams.get("after"));
  const events = new EventSource(table.dataset.events);
  events.addEventListener("message", (event) => {
    const said = JSON.parse(event.data);
    show(said);
    if (said.ended) events.close();
  });
}
