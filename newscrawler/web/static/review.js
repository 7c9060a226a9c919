// Keys of the review: each verdict is sent to the server at once, and shown as saved only when the server has it.
"use strict";
const form = document.getElementById("verdict");
const saved = document.getElementById("saved");

// One request after another: a later verdict must not be overtaken by an earlier one.
let last = Promise.resolve(true);
function send(address, fields) {
  last = last.then(() => post(address, fields));
  return last;
}

async function post(address, fields) {
  saved.textContent = "Saving…";
  saved.classList.remove("bad");
  const data = new URLSearchParams(new FormData(form));
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  data.set("script", "yes");
  try {
    const answer = await fetch(address, { method: "POST", body: data, credentials: "same-origin" });
    if (!answer.ok) throw new Error(answer.status);
    const said = await answer.json();
    saved.textContent = said.verdict === "not judged" ? "Not judged" : "Saved: " + said.verdict;
    return true;
  } catch (error) {
    saved.textContent = "Not saved (" + error.message + "). Try again.";
    saved.classList.add("bad");
    return false;
  }
}

function follow(id) {
  const link = document.getElementById(id);
  if (link) link.click();
}

function boxes() {
  return [...form.querySelectorAll("input[name=fault]")];
}

async function right() {
  for (const box of boxes()) box.checked = false;
  if (await send(form.action, { verdict: "right" })) follow("after");
}

async function undo() {
  const wasJudged = !saved.textContent.startsWith("Not judged");
  for (const box of boxes()) box.checked = false;
  if (!wasJudged) follow("before");
  else await send(form.dataset.undo, {});
}

if (form) {
  form.addEventListener("change", (event) => {
    const isJudged = saved.textContent.startsWith("Saved");
    if (event.target.name === "fault") send(form.action, { verdict: "faults" });
    else if (event.target.name === "note" && isJudged) send(form.action, { verdict: boxes().some((box) => box.checked) ? "faults" : "right" });
  });
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button) return;
    event.preventDefault();
    if (button.value === "right") right();
    else if (button.formAction.includes("/undo")) undo();
    else send(form.action, { verdict: "faults" });
  });
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.matches("input:not([type=checkbox]), textarea, select")) return;
  const box = form && form.querySelector(`input[data-key="${CSS.escape(event.key)}"]`);
  if (box) {
    box.checked = !box.checked;
    send(form.action, { verdict: "faults" });
  } else if (form && event.key === "r") right();
  else if (form && event.key === "u") undo();
  else if (event.key === "n") follow("after");
  else if (event.key === "p") follow("before");
  else if (event.key === "c") follow("correct");
  else if (event.key === "a" && document.getElementById("accept")) document.getElementById("accept").requestSubmit();
  else return;
  event.preventDefault();
});

// The frame keeps the keyboard once it was clicked; it gives it back when the pointer leaves it.
for (const kept of document.querySelectorAll(".kept")) {
  kept.addEventListener("mouseleave", () => { if (form) { document.activeElement.blur(); window.focus(); } });
}
