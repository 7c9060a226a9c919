// Search in a static copy: the words of an index in files, each word narrowing the results.
"use strict";
const bar = document.querySelector("[data-static-search]");
const results = document.getElementById("static-results");
const strokes = { ł: "l", đ: "d", ø: "o", ß: "ss", ı: "i", ħ: "h", ŧ: "t" };
const read = async (name) => { const answer = await fetch("../search/" + name + ".json"); return answer.ok ? answer.json() : {}; };
const hex = (text) => [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fold = (word) => word.normalize("NFKD").toLowerCase().replace(/\p{M}/gu, "").replace(/./gu, (letter) => strokes[letter] ?? letter);
let lines = null;
let latest = 0;

async function find(word) {
  const isOpen = word.endsWith("*");
  const text = fold(word.replace(/\*$/, ""));
  const shard = await read(hex([...text].slice(0, 2).join("")));
  const known = Object.entries(shard).filter(([each]) => (isOpen ? each.startsWith(text) : each === text));
  return new Set(known.flatMap(([, numbers]) => numbers));
}

async function search(query) {
  const mine = ++latest;
  const words = query.match(/[\p{L}\p{N}]+\*?/gu) ?? [];
  lines ??= read("lines");
  const [known, ...sets] = await Promise.all([lines, ...words.map(find)]);
  if (mine !== latest) return;
  results.replaceChildren();
  if (!words.length) return;
  const found = [...sets.reduce((all, each) => new Set([...all].filter((number) => each.has(number))))].sort((a, b) => known[b][2].localeCompare(known[a][2]));
  const total = document.createElement("p");
  total.className = "total";
  total.textContent = found.length.toLocaleString("en") + (found.length === 1 ? " article" : " articles");
  const list = document.createElement("ul");
  list.className = "plain notices";
  for (const number of found.slice(0, 50)) {
    const item = document.createElement("li");
    item.className = "facet";
    const link = document.createElement("a");
    link.href = number + ".html";
    link.textContent = known[number][0];
    link.dir = "auto";
    item.append(link, " " + known[number].slice(1).filter(Boolean).join(", "));
    list.append(item);
  }
  results.append(total, list);
}

if (bar) {
  bar.hidden = false;
  bar.querySelector("input").addEventListener("input", (event) => search(event.target.value));
}
