// The figures of a crawl as they come, by server-sent events.
"use strict";
const table = document.getElementById("figures");
const state = document.getElementById("state");
if (table && table.dataset.events) {
  const events = new EventSource(table.dataset.events);
  events.addEventListener("message", (event) => {
    const told = JSON.parse(event.data);
    const body = table.tBodies[0];
    body.replaceChildren(...Object.entries(told.figures).map(([name, value]) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      const cell = document.createElement("td");
      head.scope = "row";
      head.textContent = name;
      cell.className = "number";
      cell.textContent = value.toLocaleString("en");
      row.append(head, cell);
      return row;
    }));
    if (told.ended) {
      state.textContent = "ended: " + told.ended;
      events.close();
    }
  });
}
